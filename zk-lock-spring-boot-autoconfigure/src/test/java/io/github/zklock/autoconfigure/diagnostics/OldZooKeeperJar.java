package io.github.zklock.autoconfigure.diagnostics;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;

/**
 * A second copy of the class path of the tests, with a ZooKeeper client that lacks a constructor, as old versions do.
 */
final class OldZooKeeperJar extends URLClassLoader {

    private static final String CLIENT = "org.apache.zookeeper.ZooKeeper";
    private static final String WHAT_OLD_ONES_LACK = "HostProvider;Lorg/apache/zookeeper/client/ZKClientConfig;";

    OldZooKeeperJar() {
        super(classPath(), ClassLoader.getPlatformClassLoader());
    }

    void run(Class<? extends Runnable> application) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(this);
        try {
            Class<?> here = loadClass(application.getName());
            ((Runnable) here.getDeclaredConstructor().newInstance()).run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        return name.equals(CLIENT) ? withoutTheConstructor(name) : super.findClass(name);
    }

    private Class<?> withoutTheConstructor(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream bytes = getResourceAsStream(file)) {
            ClassWriter writer = new ClassWriter(0);
            new ClassReader(bytes).accept(new Omission(writer), 0);
            byte[] old = writer.toByteArray();
            return defineClass(name, old, 0, old.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static URL[] classPath() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(path.split(File.pathSeparator))
                .map(OldZooKeeperJar::url)
                .toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return new File(entry).toURI().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Omission extends ClassVisitor {

        Omission(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            boolean omitted = name.equals("<init>") && descriptor.contains(WHAT_OLD_ONES_LACK);
            return omitted ? null : super.visitMethod(access, name, descriptor, signature, exceptions);
        }
    }
}
