package io.github.zklock.autoconfigure.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.FakeHandle;
import io.github.zklock.FencingToken;
import io.github.zklock.LockContext;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.autoconfigure.Contexts;
import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import io.github.zklock.autoconfigure.actuate.ZkLockHealthAutoConfiguration;
import io.github.zklock.autoconfigure.method.ZkLockTransactionAutoConfiguration;
import io.github.zklock.autoconfigure.observation.ZkLockMetricsAutoConfiguration;
import io.github.zklock.fence.JdbcFence;
import io.github.zklock.transaction.TransactionFence;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import javax.sql.DataSource;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class ZkLockFenceAutoConfigurationTest {

    private static final String LOCK = "/orders/1";

    private final ApplicationContextRunner runner = Contexts.connected()
            .withConfiguration(AutoConfigurations.of(
                    ZkLockTransactionAutoConfiguration.class,
                    ZkLockFenceAutoConfiguration.class,
                    ZkLockMetricsAutoConfiguration.class,
                    ZkLockHealthAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JdbcClientAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    TransactionManagerCustomizationAutoConfiguration.class))
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withPropertyValues("spring.datasource.generate-unique-name=true", "zk.lock.instance-id=shop-1");

    @Test
    void withoutTheNamesNothingIsFenced() {
        runner.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(TransactionFence.class)
                .doesNotHaveBean(FencedDataSources.class));
    }

    @Test
    void onePropertyFencesTheTransactionsOfTheDataSource() {
        runner.withPropertyValues("zk.lock.fence.jdbc.names=/orders/*").run(context -> {
            TransactionTemplate transaction = new TransactionTemplate(context.getBean(JdbcTransactionManager.class));
            JdbcClient database = context.getBean(JdbcClient.class);
            under(6, LockState.HELD, () -> transaction.executeWithoutResult(status -> {}));

            assertThat(database.sql("select holder from zk_lock_fence where lock_name = ? and token = 6")
                            .param(LOCK)
                            .query(String.class)
                            .single())
                    .startsWith("shop-1, thread ");
            assertThatThrownBy(() -> under(5, LockState.LOST, () -> transaction.executeWithoutResult(status -> {})))
                    .isInstanceOf(LockLostException.class);

            MeterRegistry meters = context.getBean(MeterRegistry.class);
            context.getBeansOfType(MeterBinder.class).values().forEach(each -> each.bindTo(meters));
            assertThat(meters.get("zklock.fence.rejected").functionCounter().count())
                    .isEqualTo(1);
            assertThat(context.getBean("zklockHealthContributor", HealthIndicator.class)
                            .health()
                            .getDetails()
                            .get("fence"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("rejected", 1L)
                    .extractingByKey("latest")
                    .asString()
                    .contains(LOCK, "token 5", "token 6", "shop-1");
        });
    }

    @Test
    void theTableHasTheConfiguredName() {
        runner.withPropertyValues("zk.lock.fence.jdbc.names=/**", "zk.lock.fence.jdbc.table=shop_fence")
                .run(context -> assertThat(context.getBean(JdbcClient.class)
                                .sql("select count(*) from shop_fence")
                                .query(Integer.class)
                                .single())
                        .isZero());
    }

    @Test
    void theTableIsCreatedOnlyWhereAsked() {
        ApplicationContextRunner fenced = runner.withPropertyValues(
                "zk.lock.fence.jdbc.names=/**",
                "spring.datasource.url=jdbc:h2:file:./target/fence-" + System.nanoTime() + "/db");

        fenced.withPropertyValues("zk.lock.fence.jdbc.initialize-schema=never")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContainingAll("zk_lock_fence", "initialize-schema=always", "grant"));
        fenced.withPropertyValues("zk.lock.fence.jdbc.initialize-schema=always")
                .run(context -> assertThat(context.getBean(JdbcClient.class)
                                .sql("select count(*) from zk_lock_fence")
                                .query(Integer.class)
                                .single())
                        .isZero());
    }

    @Test
    void ofSeveralDataSourcesTheNamedOneIsFenced() {
        ApplicationContextRunner two = runner.withPropertyValues("zk.lock.fence.jdbc.names=/**")
                .withBean("shop", DataSource.class, () -> new DriverManagerDataSource("jdbc:h2:mem:shop"))
                .withBean("logs", DataSource.class, () -> new DriverManagerDataSource("jdbc:h2:mem:logs"))
                .withBean(
                        "manager",
                        JdbcTransactionManager.class,
                        () -> new JdbcTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:other")));

        two.run(context -> assertFails(context.getStartupFailure(), "data-sources", "shop", "logs"));
        two.withPropertyValues("zk.lock.fence.jdbc.data-sources=missing")
                .run(context -> assertFails(context.getStartupFailure(), "missing", "no such bean"));
        two.withPropertyValues("zk.lock.fence.jdbc.data-sources=manager")
                .run(context -> assertFails(context.getStartupFailure(), "no JDBC DataSource", "R2DBC"));
        two.withPropertyValues("zk.lock.fence.jdbc.data-sources=shop")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("data source 'shop' cannot be fenced"));
    }

    @Test
    void invalidValuesFailTheStart() {
        runner.withPropertyValues("zk.lock.fence.jdbc.data-sources=dataSource")
                .run(context -> assertFails(context.getStartupFailure(), "names", "no transaction is fenced"));
        runner.withPropertyValues("zk.lock.fence.jdbc.names=a//b")
                .run(context -> assertFails(context.getStartupFailure(), "names", "empty segment"));
        runner.withPropertyValues("zk.lock.fence.jdbc.names=/**", "zk.lock.fence.jdbc.table=a b")
                .run(context -> assertFails(context.getStartupFailure(), "table", "plain SQL name"));
    }

    @Test
    void withoutJdbcThePropertyFailsTheStart() {
        Contexts.connected()
                .withConfiguration(AutoConfigurations.of(ZkLockFenceAutoConfiguration.class))
                .withPropertyValues("zk.lock.fence.jdbc.names=/**")
                .withClassLoader(new FilteredClassLoader(DataSourceScriptDatabaseInitializer.class))
                .run(context -> assertFails(context.getStartupFailure(), "spring-boot-jdbc is not on the class path"));
    }

    @Test
    void healthAndMetersNeedNoDatabase() {
        Contexts.connected()
                .withConfiguration(AutoConfigurations.of(
                        ZkLockFenceAutoConfiguration.class,
                        ZkLockMetricsAutoConfiguration.class,
                        ZkLockHealthAutoConfiguration.class))
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.jdbc", "org.springframework.transaction", "org.springframework.boot.jdbc"))
                .run(context -> assertThat(context.getBean("zklockHealthContributor", HealthIndicator.class)
                                .health()
                                .getDetails())
                        .doesNotContainKey("fence"));
    }

    @Test
    void aFenceOfTheApplicationIsUsed() {
        TransactionFence own = Mockito.mock(TransactionFence.class);

        runner.withPropertyValues("zk.lock.fence.jdbc.names=/**")
                .withBean(TransactionFence.class, () -> own)
                .run(context -> assertThat(context).doesNotHaveBean(JdbcFence.class));
    }

    private static void assertFails(Throwable failure, String... texts) {
        assertThat(failure)
                .isNotNull()
                .extracting(ZkLockFenceAutoConfigurationTest::invalidProperty)
                .extracting(Throwable::getMessage)
                .asString()
                .contains(texts);
    }

    private static Throwable invalidProperty(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof InvalidZkLockPropertyException)) {
            cause = cause.getCause();
        }
        return cause == null ? failure : cause;
    }

    private static void under(long token, LockState state, Runnable work) {
        FakeHandle handle = new FakeHandle(LockName.of(LOCK), new FencingToken(token), new ArrayList<>());
        handle.become(state);
        try (LockContext.Scope scope = LockContext.open(handle)) {
            work.run();
        }
    }
}
