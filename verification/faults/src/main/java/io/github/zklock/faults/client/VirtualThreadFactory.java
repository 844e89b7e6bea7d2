package io.github.zklock.faults.client;

import java.util.concurrent.ThreadFactory;

/** What threads are made of. */
final class VirtualThreadFactory {

    private VirtualThreadFactory() {}

    /** Virtual threads where there are any, which is from Java 21 on. */
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
