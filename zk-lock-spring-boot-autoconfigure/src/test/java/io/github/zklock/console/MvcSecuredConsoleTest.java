package io.github.zklock.console;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configuration.WebSecurityCustomizer;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

class MvcSecuredConsoleTest extends SecuredConsoleTests {

    MvcSecuredConsoleTest() {
        super(WebApplicationType.SERVLET, Security.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebSecurity
    static class Security {

        // snippet:guard
        @Bean
        SecurityFilterChain console(HttpSecurity http) {
            return http.securityMatcher("/zk-lock/**")
                    .authorizeHttpRequests(requests -> requests.anyRequest().hasRole("OPERATOR"))
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
        // end:guard

        @Bean
        WebSecurityCustomizer leftOut() {
            return web -> web.ignoring().requestMatchers(request -> request.getHeader("X-Left-Out") != null);
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(ALICE);
        }
    }
}
