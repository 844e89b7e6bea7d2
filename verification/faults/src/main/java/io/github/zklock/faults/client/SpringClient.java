package io.github.zklock.faults.client;

import io.github.zklock.HandOff;
import io.github.zklock.LockEvent;
import io.github.zklock.LockListener;
import io.github.zklock.LockPolicy;
import io.github.zklock.autoconfigure.ZooKeeperLockRegistryCustomizer;
import io.github.zklock.autoconfigure.method.ZkLockAopAutoConfiguration;
import io.github.zklock.event.LockLostEvent;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.annotation.Transactional;

/** The Spring Boot application of a client process, with annotated methods. */
final class SpringClient implements AutoCloseable {

    /** The property with the time in milliseconds by which each commit is delayed; unset for none. */
    static final String COMMIT_DELAY = "faults.commit-delay";

    private final ConfigurableApplicationContext context;
    // used after the close of the application, too
    private final ZooKeeperLockRegistry registry;
    private final CuratorFramework client;
    private final Map<String, SpringClientMethods> methods = new ConcurrentHashMap<>();

    private SpringClient(ConfigurableApplicationContext context) {
        this.context = context;
        this.registry = context.getBean(ZooKeeperLockRegistry.class);
        this.client = context.getBean(CuratorFramework.class);
        methods.put("forever", context.getBean(SpringClientMethods.class));
    }

    static SpringClient start(ClientConfig config, HandOff handOff) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(settings(config).toArray(String[]::new))
                .initializers(context -> registerPolicy((GenericApplicationContext) context, handOff));
        if (SharedClient.isForeign()) {
            application.initializers(context -> registerClient((GenericApplicationContext) context, config));
        }
        return new SpringClient(application.run());
    }

    private static void registerPolicy(GenericApplicationContext context, HandOff handOff) {
        LockPolicy policy = LockPolicy.defaults().handOff(handOff);
        context.registerBean(
                "handOff", ZooKeeperLockRegistryCustomizer.class, () -> builder -> builder.policy(name -> policy));
    }

    private static void registerClient(GenericApplicationContext context, ClientConfig config) {
        context.registerBean(CuratorFramework.class, () -> SharedClient.client(config));
    }

    /** Returns the methods with the wait time of this call. */
    SpringClientMethods methods(LockCall call) {
        String waitTime =
                call.how() == LockCall.How.FOREVER ? "forever" : call.maxWait().toMillis() + "ms";
        return methods.computeIfAbsent(waitTime, this::methods);
    }

    ZooKeeperLockRegistry registry() {
        return registry;
    }

    CuratorFramework client() {
        return client;
    }

    Listeners listeners() {
        return context.getBean(Listeners.class);
    }

    Executor executor() {
        return context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
    }

    @Override
    public void close() {
        context.close();
    }

    // an annotated method reads its wait time once, so each wait time needs a context of its own
    private SpringClientMethods methods(String waitTime) {
        AnnotationConfigApplicationContext below = new AnnotationConfigApplicationContext();
        below.setParent(context);
        below.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("wait time", Map.of(SpringClientMethods.WAIT_TIME, waitTime)));
        below.register(ZkLockAopAutoConfiguration.class, SpringClientMethods.class);
        below.refresh();
        return below.getBean(SpringClientMethods.class);
    }

    private static List<String> settings(ClientConfig config) {
        boolean withDatabase = System.getProperty("spring.datasource.url") != null;
        return List.of(
                "zk.lock.connect-string=" + config.connectString(),
                "zk.lock.base-path=" + config.basePath(),
                "zk.lock.session-timeout=" + config.sessionTimeout(),
                "zk.lock.connection-timeout=" + config.sessionTimeout(),
                "zk.lock.instance-id=" + config.instance(),
                "zk.lock.shutdown-timeout=1s",
                SpringClientMethods.WAIT_TIME + "=forever",
                "spring.main.banner-mode=off",
                "spring.task.execution.pool.core-size=4",
                "spring.task.execution.pool.max-size=4",
                "spring.datasource.hikari.connection-timeout=2000",
                "spring.autoconfigure.exclude=" + (withDatabase ? "" : DataSourceAutoConfiguration.class.getName()),
                "logging.config=classpath:child-logback.xml");
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        static Listeners listeners() {
            return new Listeners();
        }

        @Bean
        static ZooKeeperLockRegistryCustomizer listening(Listeners listeners) {
            return registry -> registry.listener(listeners);
        }

        /** Delays each commit, so that a pause can fall between the check before the commit and the commit. */
        @Bean
        @ConditionalOnProperty(COMMIT_DELAY)
        static BeanPostProcessor slowCommits(@Value("${" + COMMIT_DELAY + "}") long millis) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    return bean instanceof DataSource source ? new SlowCommits(source, millis) : bean;
                }
            };
        }

        @Bean
        Counter counter(ObjectProvider<JdbcClient> database) {
            return new Counter(database.getIfAvailable());
        }

        @Bean
        SpringClientMethods methods(Listeners listeners, Counter counter) {
            return new SpringClientMethods(listeners, counter);
        }
    }

    /** A data source on which the request for a commit takes time. */
    private static final class SlowCommits extends DelegatingDataSource {

        private final long millis;

        SlowCommits(DataSource source, long millis) {
            super(source);
            this.millis = millis;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    SlowCommits.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("commit")) {
                            Thread.sleep(millis);
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException failed) {
                            throw failed.getCause();
                        }
                    });
        }
    }

    /** The listeners of the application. They return at once until they are made to block or to throw. */
    static final class Listeners implements LockListener {

        private final CountDownLatch never = new CountDownLatch(1);

        private volatile Engine.@Nullable Change change;

        void change(Engine.Change next) {
            change = next;
        }

        @Override
        public void onEvent(LockEvent event) {
            notified();
        }

        @EventListener
        void onLoss(LockLostEvent event) {
            notified();
        }

        void notified() {
            Engine.Change present = change;
            if (present == Engine.Change.BLOCK_LISTENERS) {
                sleepForEver();
            } else if (present == Engine.Change.BREAK_LISTENERS) {
                throw new IllegalStateException("A listener that fails");
            } else if (present == Engine.Change.BREAK_LISTENERS_BY_ERROR) {
                throw new OutOfMemoryError("A listener that fails by an Error");
            }
        }

        private void sleepForEver() {
            while (true) {
                try {
                    never.await();
                } catch (InterruptedException ignored) {
                    // blocks even if interrupted
                }
            }
        }
    }

    /**
     * A counter for each lock in the application's database, if it has one. Read, increment and write are separate, so
     * that two concurrent calls lose a step; each step is recorded in the same transaction.
     */
    static class Counter {

        private final @Nullable JdbcClient database;

        Counter(@Nullable JdbcClient database) {
            this.database = database;
        }

        @Transactional
        public void increment(String lock) {
            if (database == null) {
                return;
            }
            long read = database.sql("select n from counter where name = ?")
                    .param(lock)
                    .query(Long.class)
                    .single();
            database.sql("update counter set n = ? where name = ?")
                    .params(read + 1, lock)
                    .update();
            database.sql("insert into steps values (?, ?)")
                    .params(lock, read + 1)
                    .update();
        }
    }
}
