package io.github.zklock.config;

import io.github.zklock.LockRegistry;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

/**
 * An application that enables locks with {@link EnableDistributedLocks}. Spring Boot is not on the class path, so this
 * class takes the place of its {@code ApplicationContextRunner}. It is immutable: each method that adds something
 * returns another application. The registries of all applications of a JVM are connected to one server, so each test
 * uses names of its own.
 */
public final class TestApplication {

    private static final LocalZooKeeper SERVER = new LocalZooKeeper();

    private final Class<?> enabling;
    private final List<Consumer<AnnotationConfigApplicationContext>> steps;

    private TestApplication(Class<?> enabling, List<Consumer<AnnotationConfigApplicationContext>> steps) {
        this.enabling = enabling;
        this.steps = List.copyOf(steps);
    }

    /** What a test does with the context of an application. */
    @FunctionalInterface
    public interface Work {
        void with(AnnotationConfigApplicationContext context) throws Exception;
    }

    public static LocalZooKeeper server() {
        return SERVER;
    }

    /** Creates a registry, which represents another process unless it becomes a bean. */
    public static ZooKeeperLockRegistry registry() {
        return registryAt(SERVER.connectString());
    }

    public static ZooKeeperLockRegistry registryAt(String connectString) {
        return ZooKeeperLockRegistry.builder()
                .connectString(connectString)
                .closeOnExit(false)
                .build();
    }

    /** Returns an application with a registry and these beans, whose proxies are subclasses of their targets. */
    public static TestApplication of(Class<?>... beans) {
        return withoutRegistry()
                .withBean(
                        "zkLockRegistry",
                        LockRegistry.class,
                        TestApplication::registry,
                        definition -> definition.setLazyInit(true))
                .withBeans(beans);
    }

    /** Returns an application without beans, whose proxies are subclasses of their targets. */
    public static TestApplication withoutRegistry() {
        return new TestApplication(ClassProxies.class, List.of());
    }

    /** Replaces the configuration that enables locks. */
    public TestApplication enabledBy(Class<?> configuration) {
        return new TestApplication(configuration, steps);
    }

    /** Registers components and configurations. */
    public TestApplication withBeans(Class<?>... beans) {
        return beans.length == 0 ? this : with(context -> context.register(beans));
    }

    public <T> TestApplication withBean(Class<T> type, Supplier<T> instance) {
        return with(context -> context.registerBean(type, instance));
    }

    public <T> TestApplication withBean(
            String name, Class<T> type, Supplier<? extends T> instance, BeanDefinitionCustomizer... customizers) {
        return with(context -> context.registerBean(name, type, instance::get, customizers));
    }

    public TestApplication withProperties(Map<String, Object> properties) {
        return with(context ->
                context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties)));
    }

    /** Changes the context before it is refreshed. */
    public TestApplication with(Consumer<AnnotationConfigApplicationContext> step) {
        List<Consumer<AnnotationConfigApplicationContext>> more = new ArrayList<>(steps);
        more.add(step);
        return new TestApplication(enabling, more);
    }

    /** Starts the application. If that fails, it is closed. */
    public AnnotationConfigApplicationContext start() {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.register(enabling);
        steps.forEach(step -> step.accept(context));
        context.refresh();
        return context;
    }

    /** Starts the application, does the work, and closes the application. */
    public void run(Work work) {
        try (AnnotationConfigApplicationContext context = start()) {
            work.with(context);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Enables locks with proxies that are subclasses of their targets. */
    @Configuration(proxyBeanMethods = false)
    @EnableDistributedLocks(proxyTargetClass = true)
    public static class ClassProxies {}

    /** Enables locks with proxies that implement the interfaces of their targets. */
    @Configuration(proxyBeanMethods = false)
    @EnableDistributedLocks
    public static class InterfaceProxies {}
}
