package io.github.zklock.console;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.csrf.CookieServerCsrfTokenRepository;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.security.web.server.csrf.ServerCsrfTokenRequestAttributeHandler;
import org.springframework.security.web.server.util.matcher.PathPatternParserServerWebExchangeMatcher;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

class WebFluxAccessTest extends AccessTests {

    WebFluxAccessTest() {
        super(WebApplicationType.REACTIVE, Security.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebFluxSecurity
    static class Security {

        // snippet:guard
        @Bean
        @Order(1)
        SecurityWebFilterChain endpoints(ServerHttpSecurity http) {
            return http.securityMatcher(new PathPatternParserServerWebExchangeMatcher("/actuator/**"))
                    .authorizeExchange(exchanges -> exchanges.anyExchange().hasRole("ENDPOINT_ADMIN"))
                    .csrf(csrf -> csrf.csrfTokenRepository(CookieServerCsrfTokenRepository.withHttpOnlyFalse())
                            .csrfTokenRequestHandler(new ServerCsrfTokenRequestAttributeHandler()))
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        WebFilter offerCsrfToken() {
            return (exchange, chain) -> exchange.<Mono<CsrfToken>>getAttributeOrDefault(
                            CsrfToken.class.getName(), Mono.empty())
                    .then(chain.filter(exchange));
        }
        // end:guard

        @Bean
        SecurityWebFilterChain shop(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(CUSTOMER, ADMIN);
        }
    }
}
