package io.github.zklock.console;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher.MatchResult;

class WebFluxSecuredConsoleTest extends SecuredConsoleTests {

    WebFluxSecuredConsoleTest() {
        super(WebApplicationType.REACTIVE, Security.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebFluxSecurity
    static class Security {

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.securityMatcher(
                            exchange -> exchange.getRequest().getHeaders().containsHeader("X-Left-Out")
                                    ? MatchResult.notMatch()
                                    : MatchResult.match())
                    .authorizeExchange(requests -> requests.anyExchange().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(ALICE);
        }
    }
}
