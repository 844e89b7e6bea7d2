package com.example.ordershop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The shop: one instance of it, of which any number may run on one database and one ZooKeeper. */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableScheduling
public class OrderShop {

    /** Opens the shop. */
    public static void main(String[] arguments) {
        // the first instance serves the database to the others: on this machine, not to the network
        System.setProperty("h2.bindAddress", System.getProperty("h2.bindAddress", "127.0.0.1"));
        SpringApplication.run(OrderShop.class, arguments);
    }
}
