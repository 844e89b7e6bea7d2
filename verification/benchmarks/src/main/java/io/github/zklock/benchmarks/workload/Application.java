package io.github.zklock.benchmarks.workload;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** A minimal Spring Boot application, with whatever is in its class path. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class Application {

    static final String STARTED = "started";

    /**
     * Starts the application, and prints a line.
     *
     * @param args properties
     */
    public static void main(String[] args) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setLogStartupInfo(false);
        application.setBannerMode(org.springframework.boot.Banner.Mode.OFF);
        application.run(args);
        System.out.println(STARTED);
    }
}
