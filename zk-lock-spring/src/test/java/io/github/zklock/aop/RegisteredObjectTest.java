package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.config.TestApplication;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.BeanUtils;
import org.springframework.util.StreamUtils;

class RegisteredObjectTest extends AopTest {

    static class Missing {}

    /** An object with a method that needs a missing class, as objects of servers can be. */
    static class Incomplete {

        void with(Missing missing) {}
    }

    private static final class WithoutMissing extends ClassLoader {

        private WithoutMissing() {
            super(RegisteredObjectTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Missing.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            return name.equals(Incomplete.class.getName()) ? define(name) : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream bytes = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] read = StreamUtils.copyToByteArray(bytes);
                return defineClass(name, read, 0, read.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void anObjectThatCannotBeInspectedDoesNotFailTheStart() throws ClassNotFoundException {
        Object incomplete = BeanUtils.instantiateClass(new WithoutMissing().loadClass(Incomplete.class.getName()));

        TestApplication.of()
                .with(context -> context.getBeanFactory().registerSingleton("incomplete", incomplete))
                .run(context -> assertThat(context.getBean("incomplete")).isSameAs(incomplete));
    }
}
