package io.github.zklock.console;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.InstanceName;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.autoconfigure.actuate.ReleaseAccess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.reactive.function.server.RouterFunctions;

/** Auto-configuration of the console, a page that shows locks and their queues, where the application wants it. */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty("zk.lock.console.enabled")
@ConditionalOnBean(LockRegistry.class)
@EnableConfigurationProperties(ZkLockConsoleProperties.class)
@RegisterReflectionForBinding({Problem.class, StateReport.class, LocksPage.class, QueueReport.class, ReleaseReport.class
})
@ImportRuntimeHints(ConsoleHints.class)
public final class ZkLockConsoleAutoConfiguration {

    private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(5);

    @Bean
    @ConditionalOnMissingBean
    Console zkLockConsole(
            ConfigurableListableBeanFactory beans,
            Environment environment,
            ZkLockConsoleProperties properties,
            ObjectProvider<ZkLockProperties> locks,
            ObjectProvider<ReleaseAccess> access) {
        InstantSource clock = InstantSource.system();
        ZkLockProperties known = locks.getIfAvailable();
        Readers readers =
                new Readers(known == null ? DEFAULT_PATIENCE : known.getConnectionTimeout(), clock, System::nanoTime);
        List<WatchedRegistry> registries =
                SimpleAutowireCandidateResolver.resolveAutowireCandidates(beans, LockRegistry.class).entrySet().stream()
                        .map(each -> new WatchedRegistry(each.getKey(), each.getValue(), readers, clock))
                        .toList();
        return new Console(
                properties.path(),
                new Console.Identity(
                        environment.getProperty("spring.application.name", ""),
                        InstanceName.orDefault(known, environment)),
                new AccessRule(properties.remoteAccess(), ForwardedHeaders.areUsed(environment, beans)),
                new ReleaseRule(access::getIfAvailable),
                registries,
                readers,
                clock);
    }

    /** The console in an application of Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(org.springframework.web.servlet.function.RouterFunctions.class)
    static class Mvc {

        @Bean
        @ConditionalOnMissingBean(name = "zkLockConsoleRoutes")
        org.springframework.web.servlet.function.RouterFunction<org.springframework.web.servlet.function.ServerResponse>
                zkLockConsoleRoutes(Console console, ZkLockConsoleProperties properties, MvcSecurity security) {
            return new MvcRoutes(properties.path(), console, security).routes();
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(FilterChainProxy.class)
        static class Guarded {

            @Bean
            MvcSecurity zkLockConsoleSecurity(ObjectProvider<FilterChainProxy> proxies) {
                return new MvcSecurity.Chains(() -> proxies.stream().toList());
            }
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnMissingClass("org.springframework.security.web.FilterChainProxy")
        static class Open {

            @Bean
            MvcSecurity zkLockConsoleSecurity() {
                return MvcSecurity.NONE;
            }
        }
    }

    /** The console in an application of Spring WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(RouterFunctions.class)
    static class WebFlux {

        @Bean
        @ConditionalOnMissingBean(name = "zkLockConsoleRoutes")
        org.springframework.web.reactive.function.server.RouterFunction<
                        org.springframework.web.reactive.function.server.ServerResponse>
                zkLockConsoleRoutes(Console console, ZkLockConsoleProperties properties, WebFluxSecurity security) {
            return new WebFluxRoutes(properties.path(), console, security).routes();
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(SecurityWebFilterChain.class)
        static class Guarded {

            @Bean
            WebFluxSecurity zkLockConsoleSecurity(ObjectProvider<SecurityWebFilterChain> chains) {
                return new WebFluxSecurity.Chains(() -> chains.orderedStream().toList());
            }
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnMissingClass("org.springframework.security.web.server.SecurityWebFilterChain")
        static class Open {

            @Bean
            WebFluxSecurity zkLockConsoleSecurity() {
                return WebFluxSecurity.NONE;
            }
        }
    }
}
