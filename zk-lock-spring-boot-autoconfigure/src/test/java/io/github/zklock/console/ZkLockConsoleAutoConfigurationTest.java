package io.github.zklock.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import io.github.zklock.autoconfigure.actuate.ZkLockReleaseAccessAutoConfiguration;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.util.LinkedMultiValueMap;

class ZkLockConsoleAutoConfigurationTest {

    private static final String ROUTES = "zkLockConsoleRoutes";
    private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(
            ZkLockConsoleAutoConfiguration.class,
            ZkLockReleaseAccessAutoConfiguration.class,
            EndpointAutoConfiguration.class);

    private final WebApplicationContextRunner off = new WebApplicationContextRunner()
            .withConfiguration(CONFIGURATIONS)
            .withBean("zkLockRegistry", LockRegistry.class, ZkLockConsoleAutoConfigurationTest::registry);

    private final WebApplicationContextRunner mvc = off.withPropertyValues("zk.lock.console.enabled=true");

    private final ReactiveWebApplicationContextRunner webFlux = new ReactiveWebApplicationContextRunner()
            .withConfiguration(CONFIGURATIONS)
            .withPropertyValues("zk.lock.console.enabled=true")
            .withBean("zkLockRegistry", LockRegistry.class, ZkLockConsoleAutoConfigurationTest::registry);

    @Test
    void isAbsentUnlessSwitchedOn() {
        off.run(context -> assertThat(context).doesNotHaveBean(Console.class).doesNotHaveBean(ROUTES));
    }

    @Test
    void isThereWithEitherKindOfWebServer() {
        mvc.run(context -> assertThat(context.getBean(ROUTES))
                .isInstanceOf(org.springframework.web.servlet.function.RouterFunction.class));
        webFlux.run(context -> assertThat(context.getBean(ROUTES))
                .isInstanceOf(org.springframework.web.reactive.function.server.RouterFunction.class));
    }

    @Test
    void eitherKindMayBeMissing() {
        mvc.withClassLoader(new FilteredClassLoader("org.springframework.web.reactive", "reactor"))
                .run(context -> assertThat(context).hasNotFailed().hasBean(ROUTES));
        webFlux.withClassLoader(new FilteredClassLoader("org.springframework.web.servlet", "jakarta.servlet"))
                .run(context -> assertThat(context).hasNotFailed().hasBean(ROUTES));
    }

    @Test
    void isAbsentWithoutAWebServer() {
        new ApplicationContextRunner()
                .withConfiguration(CONFIGURATIONS)
                .withPropertyValues("zk.lock.console.enabled=true")
                .withBean(LockRegistry.class, ZkLockConsoleAutoConfigurationTest::registry)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Console.class));
    }

    @Test
    void isAbsentWithoutARegistry() {
        new WebApplicationContextRunner()
                .withConfiguration(CONFIGURATIONS)
                .withPropertyValues("zk.lock.console.enabled=true")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Console.class));
    }

    @Test
    void backsOff() {
        Console own = new Console(
                "/own",
                new Console.Identity("shop", "shop-1"),
                new AccessRule(false, false),
                new ReleaseRule(() -> null),
                List.of(),
                new Readers(Duration.ofSeconds(1), InstantSource.system(), System::nanoTime),
                InstantSource.system());
        mvc.withBean(Console.class, () -> own)
                .withBean(ROUTES, String.class, () -> "own routes")
                .run(context -> {
                    assertThat(context.getBean(Console.class)).isSameAs(own);
                    assertThat(context.getBean(ROUTES)).isEqualTo("own routes");
                });
    }

    @Test
    void needsNoSpringSecurity() {
        mvc.withClassLoader(new FilteredClassLoader("org.springframework.security"))
                .run(context -> assertThat(context.getBean(MvcSecurity.class)).isSameAs(MvcSecurity.NONE));
        webFlux.withClassLoader(new FilteredClassLoader("org.springframework.security"))
                .run(context ->
                        assertThat(context.getBean(WebFluxSecurity.class)).isSameAs(WebFluxSecurity.NONE));
    }

    @Test
    void springSecurityThatIsNotUsedGuardsNothing() {
        mvc.run(context -> {
            assertThat(context).doesNotHaveBean(FilterChainProxy.class);
            assertThat(context.getBean(MvcSecurity.class).guards(new MockHttpServletRequest()))
                    .isFalse();
        });
    }

    @Test
    void saysWhyNothingCanBeReleasedAndWhatToDo() {
        mvc.run(context -> assertThat(state(context))
                .containsEntry("allowed", false)
                .containsEntry("csrf", null)
                .containsEntry(
                        "reason",
                        "Forced release is switched off: set management.endpoint.zklocks.access=unrestricted"
                                + " to allow it"));
        mvc.withClassLoader(new FilteredClassLoader(EndpointAccessResolver.class))
                .run(context -> assertThat((String) state(context).get("reason"))
                        .contains("spring-boot-starter-actuator", "management.endpoint.zklocks.access=unrestricted"));
        mvc.withPropertyValues("management.endpoint.zklocks.access=UNRESTRICTED")
                .run(context -> assertThat(state(context))
                        .containsEntry("allowed", true)
                        .containsEntry("reason", null));
        mvc.withPropertyValues(
                        "management.endpoint.zklocks.access=UNRESTRICTED",
                        "management.endpoints.access.max-permitted=READ_ONLY")
                .run(context -> assertThat(state(context)).containsEntry("allowed", false));
    }

    @Test
    void releasesNothingWhereItIsNotAllowed() {
        mvc.run(context ->
                assertThat(ask(context, "POST", "/api/release").status()).isEqualTo(403));
    }

    @ParameterizedTest
    @CsvSource({
        "server.forward-headers-strategy=native, 403",
        "server.forward-headers-strategy=framework, 403",
        "server.forward-headers-strategy=none, 200",
        "server.tomcat.remoteip.remote-ip-header=x-client, 403",
        "zk.lock.console.remote-access=true, 200"
    })
    void doesNotTrustAddressesThatAreTakenFromHeaders(String property, int status) {
        mvc.withPropertyValues(property)
                .run(context ->
                        assertThat(ask(context, "GET", "/api/state").status()).isEqualTo(status));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "zk-lock",
                "/zk-lock/",
                "/a//b",
                "/{name}",
                "/a/*",
                "/a/../b",
                "/a b",
                "/a?b",
                "/.",
                "http://shop/a"
            })
    void refusesAPathThatIsNone(String path) {
        mvc.withPropertyValues("zk.lock.console.path=" + path)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidZkLockPropertyException.class)
                        .hasMessageStartingWith("zk.lock.console.path '" + path + "' is not a path")
                        .hasMessageEndingWith("use a path such as /zk-lock"));
    }

    @Test
    void theFilesOfThePageAreKeptInANativeImage() {
        RuntimeHints hints = new RuntimeHints();

        new ConsoleHints().registerHints(hints, getClass().getClassLoader());

        assertThat(List.of("index.html", "console.css", "console.js", "icon.svg"))
                .allSatisfy(file -> assertThat(
                                RuntimeHintsPredicates.resource().forResource("io/github/zklock/console/" + file))
                        .accepts(hints));
    }

    private static Map<String, Object> state(ApplicationContext context) {
        return JsonPath.read(new String(ask(context, "GET", "/api/state").body(), StandardCharsets.UTF_8), "$.release");
    }

    private static ConsoleAnswer ask(ApplicationContext context, String method, String path) {
        HttpHeaders headers = new HttpHeaders();
        headers.add("Host", "localhost");
        return context.getBean(Console.class)
                .answer(new ConsoleRequest(
                        method,
                        path,
                        new LinkedMultiValueMap<>(),
                        headers,
                        InetAddress.getLoopbackAddress(),
                        false,
                        null,
                        Optional::empty,
                        Optional.empty()));
    }

    private static LockRegistry registry() {
        return ZooKeeperLockRegistry.builder().connectString("127.0.0.1:1").build();
    }
}
