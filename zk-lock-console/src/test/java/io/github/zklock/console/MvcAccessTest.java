package io.github.zklock.console;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

class MvcAccessTest extends AccessTests {

    MvcAccessTest() {
        super(WebApplicationType.SERVLET, Security.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebSecurity
    static class Security {

        // snippet:guard
        @Bean
        @Order(1)
        SecurityFilterChain endpoints(HttpSecurity http) {
            return http.securityMatcher("/actuator/**")
                    .authorizeHttpRequests(requests -> requests.anyRequest().hasRole("ENDPOINT_ADMIN"))
                    .csrf(CsrfConfigurer::spa)
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
        // end:guard

        @Bean
        SecurityFilterChain shop(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(CUSTOMER, ADMIN);
        }
    }
}
