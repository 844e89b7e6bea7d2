package io.github.zklock.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.Leadership;
import io.github.zklock.LockContext;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnlyLeader;
import io.github.zklock.annotation.RunOncePer;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.FileSystemGeneratedFiles;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.OverridingClassLoader;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.javapoet.ClassName;

/** A context that is processed ahead of time, on the JVM: its bean definitions are generated code. */
class ProcessedAheadOfTimeTest {

    private static final LocalZooKeeper SERVER = new LocalZooKeeper();

    record Customer(String id) {}

    record Order(Customer customer) {}

    static class Orders {

        @DistributedLock("/ahead/#{#order.customer().id()}")
        List<String> place(Order order) {
            return LockContext.current().stream()
                    .map(handle -> handle.name().value() + " for " + order)
                    .toList();
        }

        @RunOncePer(window = "1h", name = "/ahead/job/#{#order.customer().id()}")
        boolean close(Order order) {
            return order.customer().id().equals("7");
        }

        @OnlyLeader("/ahead/leader")
        boolean isLeader() {
            return true;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableDistributedLocks
    static class Shop {

        @Bean(destroyMethod = "close")
        static LockRegistry lockRegistry(Environment environment) {
            return ZooKeeperLockRegistry.builder()
                    .connectString(environment.getRequiredProperty("connect-string"))
                    .closeOnExit(false)
                    .build();
        }

        @Bean
        static Leadership leadership(LockRegistry registry) {
            return registry.leadership("/ahead/leader");
        }

        @Bean
        static Orders orders() {
            return new Orders();
        }
    }

    /** Starts the generated context, in the class loader of the generated classes. */
    public static final class Start implements BiFunction<String, String, List<String>> {

        @Override
        public List<String> apply(String initializer, String connectString) {
            try (GenericApplicationContext context = new GenericApplicationContext()) {
                context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("test", Map.of("connect-string", connectString)));
                initializer(initializer).initialize(context);
                context.refresh();
                Orders orders = context.getBean(Orders.class);
                Awaitility.await().until(orders::isLeader);
                Order order = new Order(new Customer("7"));
                return Stream.of(orders.place(order), List.of("closed: " + orders.close(order) + orders.close(order)))
                        .flatMap(List::stream)
                        .toList();
            } catch (ReflectiveOperationException missing) {
                throw new IllegalStateException(missing);
            }
        }

        @SuppressWarnings("unchecked")
        private static ApplicationContextInitializer<GenericApplicationContext> initializer(String name)
                throws ReflectiveOperationException {
            return Class.forName(name)
                    .asSubclass(ApplicationContextInitializer.class)
                    .getDeclaredConstructor()
                    .newInstance();
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void anAnnotatedMethodRunsUnderTheLockOfItsArguments(@TempDir Path generated) throws Exception {
        String initializer = process(generated).canonicalName();
        compile(generated);

        ClassLoader loader = new GeneratedFirst(generated.resolve("classes"));
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            BiFunction<String, String, List<String>> start =
                    (BiFunction<String, String, List<String>>) loader.loadClass(Start.class.getName())
                            .getDeclaredConstructor()
                            .newInstance();

            assertThat(start.apply(initializer, SERVER.connectString()))
                    .containsExactly("/ahead/7 for Order[customer=Customer[id=7]]", "closed: truefalse");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static ClassName process(Path generated) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Shop.class);
            DefaultGenerationContext generation = new DefaultGenerationContext(
                    new ClassNameGenerator(ClassName.get(Shop.class)), new FileSystemGeneratedFiles(generated));
            ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
            return initializer;
        }
    }

    private static void compile(Path generated) throws IOException {
        Path classes = Files.createDirectories(generated.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> sources = Files.walk(generated.resolve("sources"))) {
            List<String> options = List.of(
                    "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
            boolean compiled = compiler.getTask(
                            null,
                            files,
                            null,
                            options,
                            null,
                            files.getJavaFileObjectsFromPaths(
                                    sources.filter(Files::isRegularFile).toList()))
                    .call();
            assertThat(compiled).isTrue();
        }
    }

    /**
     * Loads the classes of this project again, so that generated classes are in the same packages as the classes that
     * they use.
     */
    private static final class GeneratedFirst extends OverridingClassLoader {

        private final Path classes;

        GeneratedFirst(Path classes) {
            super(ProcessedAheadOfTimeTest.class.getClassLoader());
            this.classes = classes;
        }

        @Override
        protected boolean isEligibleForOverriding(String name) {
            return name.startsWith("io.github.zklock.") || Files.exists(file(name));
        }

        @Override
        protected @Nullable InputStream openStreamForClass(String name) {
            try {
                return Files.exists(file(name)) ? Files.newInputStream(file(name)) : super.openStreamForClass(name);
            } catch (IOException unreadable) {
                throw new IllegalStateException(unreadable);
            }
        }

        private Path file(String name) {
            return classes.resolve(name.replace('.', '/') + ".class");
        }
    }
}
