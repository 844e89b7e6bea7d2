package com.example.ordershop.demo.page;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.web.SecurityFilterChain;

/** Access rules of the page: visitors can read, admins can also move the gate. */
@Configuration(proxyBeanMethods = false)
class DemoSecurityConfiguration {

    @Bean
    @Order(1)
    SecurityFilterChain demoSecurity(HttpSecurity http) {
        return http.securityMatcher(
                        "/", "/index.html", "/*.js", "/shop.css", "/icon.svg", "/favicon.ico", "/shop", "/gate/**")
                .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.GET)
                        .permitAll()
                        .anyRequest()
                        .hasRole("ADMIN"))
                .csrf(CsrfConfigurer::spa)
                .httpBasic(Customizer.withDefaults())
                .build();
    }
}
