package io.github.zklock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** A test of an application may replace the registry by a mock. The application then needs no server. */
class ReplacedRegistryTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @SpringBootTest(
            classes = Application.class,
            webEnvironment = WebEnvironment.NONE,
            properties = {
                "zk.lock.connect-string=127.0.0.1:1",
                "spring.datasource.url=jdbc:h2:mem:replaced",
                "spring.docker.compose.enabled=false"
            })
    static class Mocking {

        @MockitoBean
        @Nullable LockRegistry registry;

        @Autowired
        @Nullable ConfigurableApplicationContext context;
    }

    @Test
    void anApplicationStartsAndStopsWithAMock() throws Exception {
        Mocking test = new Mocking();

        new TestContextManager(Mocking.class).prepareTestInstance(test);

        assertThat(Mockito.mockingDetails(test.registry).isMock()).isTrue();
        assertThat(test.context).isNotNull();
        assertThat(test.context.getBean(LockRegistry.class)).isSameAs(test.registry);
        test.context.close();
    }
}
