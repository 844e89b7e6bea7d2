package io.github.zklock.faults.client;

import java.util.concurrent.ThreadFactory;

/** Creates virtual threads if the JDK has them, from Java 21 on, and other threads if not. */
final class VirtualThreadFactory {

    private VirtualThreadFactory() {}

    /** Returns a factory of virtual threads, or of platform threads before Java 21. */
    static ThreadFactory virtual() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (NoSuchMethodException olderJava) {
            return Thread::new;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot make virtual threads", e);
        }
    }
}
