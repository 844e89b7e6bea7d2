package io.github.zklock.mock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.method.ZkLockAopAutoConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** The annotated methods of an application use the mock by which a test replaces the registry. */
@SpringBootTest(
        classes = MockedRegistryTest.Application.class,
        webEnvironment = WebEnvironment.NONE,
        properties = "zk.lock.connect-string=unreachable.invalid:2181")
class MockedRegistryTest {

    @MockitoBean
    private LockRegistry registry;

    @Autowired
    private Orders orders;

    @Test
    void anAnnotatedMethodRunsUnderTheLockOfTheMock() throws Exception {
        LockHandle handle = handle("/orders/1");
        ClusterLock lock = mock();
        given(lock.acquire(any(Duration.class))).willReturn(handle);
        given(registry.lock("/orders/1")).willReturn(lock);

        orders.ship("1");

        assertThat(orders.shipped()).contains("1");
        then(handle).should().close();
    }

    @Test
    void anAnnotatedMethodDoesNotRunIfTheMockRefusesTheLock() throws Exception {
        ClusterLock lock = mock();
        given(lock.acquire(any(Duration.class))).willThrow(new LockTimeoutException(LockName.of("/orders/2"), "busy"));
        given(registry.lock("/orders/2")).willReturn(lock);

        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> orders.ship("2"));

        assertThat(orders.shipped()).doesNotContain("2");
    }

    /** A test that stubs such a lock must use the same mock of it in all methods of its context. */
    @Test
    void aLockWithAConstantNameIsRequestedOnce() throws Exception {
        LockHandle handle = handle("/orders");
        ClusterLock lock = mock();
        given(lock.acquire(any(Duration.class))).willReturn(handle);
        given(registry.lock("/orders")).willReturn(lock);

        orders.shipAll();
        orders.shipAll();

        then(registry).should().lock("/orders");
        then(lock).should(times(2)).acquire(any(Duration.class));
    }

    @Test
    void noClientIsCreated(@Autowired ConfigurableApplicationContext context) {
        assertThat(context.getBeanFactory().containsSingleton("zkLockCuratorFramework"))
                .isFalse();
    }

    private static LockHandle handle(String name) {
        LockHandle handle = mock();
        given(handle.name()).willReturn(LockName.of(name));
        given(handle.state()).willReturn(LockState.HELD);
        given(handle.kind()).willReturn(LockKind.EXCLUSIVE);
        given(handle.fencingToken()).willReturn(new FencingToken(1));
        return handle;
    }

    static class Orders {

        private final List<String> shipped = new ArrayList<>();

        @DistributedLock("/orders/#{#id}")
        public void ship(String id) {
            shipped.add(id);
        }

        @DistributedLock("/orders")
        public void shipAll() {
            shipped.add("all");
        }

        List<String> shipped() {
            return shipped;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class})
    static class Application {

        @Bean
        Orders orders() {
            return new Orders();
        }
    }
}
