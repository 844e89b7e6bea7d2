package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.TestApplication;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.StreamUtils;

class WithoutReactorTest {

    static class Orders {

        @DistributedLock("/orders")
        public void onThread() {}

        @DistributedLock("/orders")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class ReactiveOrders {

        @DistributedLock("/orders")
        public Flow.Publisher<String> work() {
            throw new AssertionError("Must not run");
        }
    }

    /** A class loader that hides Reactor from the classes of this project. */
    private static final class Reactorless extends ClassLoader {

        private Reactorless() {
            super(WithoutReactorTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("reactor.") || name.startsWith("org.reactivestreams.")) {
                throw new ClassNotFoundException(name);
            }
            if (Stream.of("aop.", "config.", "reactive.", "transaction.")
                    .noneMatch(each -> name.startsWith("io.github.zklock." + each))) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream bytes = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (bytes == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] read = StreamUtils.copyToByteArray(bytes);
                return defineClass(name, read, 0, read.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        AnnotationConfigApplicationContext start(Class<?> bean) throws ClassNotFoundException {
            return TestApplication.of(loadClass(bean.getName(), true))
                    .enabledBy(loadClass(TestApplication.ClassProxies.class.getName(), true))
                    .with(context -> context.setClassLoader(this))
                    .start();
        }
    }

    @Test
    void otherResultsAreLockedAsEver() throws ClassNotFoundException {
        try (AnnotationConfigApplicationContext context = new Reactorless().start(Orders.class)) {
            assertThat(context.isActive()).isTrue();
        }
    }

    @Test
    void aReactiveResultIsRefusedAtStartUp() {
        assertThatThrownBy(() -> new Reactorless().start(ReactiveOrders.class))
                .hasMessage("@DistributedLock on " + ReactiveOrders.class.getName()
                        + ".work() returns a Publisher, whose completion cannot be"
                        + " observed without Reactor; add reactor-core to the class path");
    }
}
