package com.example.ordershop;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Access rules. Visitors can read the statistics. Users can also change orders and stock, and read the locks. Admins can also
 * release locks and read the other actuator endpoints.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
class SecurityConfiguration {

    @Bean
    SecurityFilterChain shopSecurity(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/health")
                        .permitAll()
                        .requestMatchers(HttpMethod.GET, "/statistics/**")
                        .permitAll()
                        .requestMatchers(HttpMethod.GET, "/actuator/zklocks/**", "/actuator/lockconsole/**")
                        .hasRole("USER")
                        .requestMatchers("/actuator/**")
                        .hasRole("ADMIN")
                        .anyRequest()
                        .hasRole("USER"))
                .csrf(CsrfConfigurer::spa)
                .formLogin(Customizer.withDefaults())
                .httpBasic(Customizer.withDefaults())
                .build();
    }

    @Bean
    UserDetailsService users(ShopProperties shop) {
        return name -> shop.users().stream()
                .filter(user -> user.name().equals(name))
                .findAny()
                .map(user -> User.withUsername(name)
                        .password(user.password())
                        .roles(user.roles().toArray(String[]::new))
                        .build())
                .orElseThrow(() -> new UsernameNotFoundException("There is no account " + name));
    }
}
