package io.github.zklock.aop.internal.advice;

import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.EnableDistributedLocks;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Records which methods of this module one annotated call enters. */
public final class CallWalk {

    private static final int WARM_UP = 5;

    private static final List<String> ENTERED = new ArrayList<>();
    /** The recording thread. The others belong to the registry. */
    private static volatile Thread recorded = new Thread();

    private CallWalk() {}

    /** Returns each method of this module that the call enters, as {@code Class.method}, in order. */
    static List<String> ofALiteralName() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.setClassLoader(CallWalk.class.getClassLoader());
            context.register(Application.class);
            context.refresh();
            Work work = context.getBean(Work.class);
            for (int i = 0; i < WARM_UP; i++) {
                work.run();
            }
            recorded = Thread.currentThread();
            work.run();
            recorded = new Thread();
            return List.copyOf(ENTERED);
        }
    }

    /** Called by each method of this module. */
    public static void enter(String method) {
        if (Thread.currentThread() == recorded) {
            ENTERED.add(method);
        }
    }

    /** An annotated bean. */
    public static class Work {

        /** Does nothing. */
        @DistributedLock("/walked")
        public void run() {}
    }

    /** An application without Spring Boot. */
    @Configuration
    @EnableDistributedLocks
    public static class Application {

        private static final LocalZooKeeper SERVER = new LocalZooKeeper();

        @Bean(destroyMethod = "close")
        LockRegistry lockRegistry() {
            return ZooKeeperLockRegistry.builder()
                    .connectString(SERVER.connectString())
                    .closeOnExit(false)
                    .build();
        }

        @Bean
        Work work() {
            return new Work();
        }
    }

    /** Loads this module so that each of its methods reports that it was entered. */
    static final class Loader extends ClassLoader {

        private static final String PACKAGE = "io.github.zklock.";
        private static final String MAIN_CLASSES = "/zk-lock-spring/target/classes/";
        private static final String WALK = CallWalk.class.getName().replace('.', '/');

        Loader() {
            super("call-walk", CallWalk.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(PACKAGE)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null) {
                    byte[] bytes = bytesOf(name);
                    loaded = defineClass(name, bytes, 0, bytes.length);
                }
                return loaded;
            }
        }

        private byte[] bytesOf(String name) throws ClassNotFoundException {
            String file = name.replace('.', '/') + ".class";
            try (InputStream in = getParent().getResourceAsStream(file)) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] original = in.readAllBytes();
                boolean walked = getParent().getResource(file).getPath().contains(MAIN_CLASSES);
                return walked ? woven(name.substring(name.lastIndexOf('.') + 1), original) : original;
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }

        private static byte[] woven(String simpleName, byte[] original) {
            ClassReader reader = new ClassReader(original);
            // a call takes nothing from the stack and leaves nothing there, so all frames stay as they are
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(new EntryVisitor(simpleName, writer), 0);
            return writer.toByteArray();
        }

        private static final class EntryVisitor extends ClassVisitor {

            private final String simpleName;

            EntryVisitor(String simpleName, ClassVisitor next) {
                super(Opcodes.ASM9, next);
                this.simpleName = simpleName;
            }

            @Override
            public MethodVisitor visitMethod(
                    int access, String name, String descriptor, String signature, String[] exceptions) {
                return new MethodVisitor(
                        Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        super.visitLdcInsn(simpleName + "." + name);
                        super.visitMethodInsn(Opcodes.INVOKESTATIC, WALK, "enter", "(Ljava/lang/String;)V", false);
                    }
                };
            }
        }
    }
}
