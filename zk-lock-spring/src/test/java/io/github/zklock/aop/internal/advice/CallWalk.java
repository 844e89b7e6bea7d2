package io.github.zklock.aop.internal.advice;

import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.EnableDistributedLocks;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.WovenClasses;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
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
    static final class Loader extends WovenClasses {

        Loader() {
            super("call-walk", "io.github.zklock.", "/zk-lock-spring/target/classes/");
        }

        @Override
        protected ClassVisitor weaver(String simpleName, ClassWriter writer) {
            return entries(simpleName, writer, CallWalk.class);
        }
    }
}
