package com.example.ordershop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The application class of the shop. Several instances can run on one database and one ZooKeeper. */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableScheduling
public class OrderShop {

    /** Starts an instance of the shop. */
    public static void main(String[] arguments) {
        // the first instance provides the database to other instances on this machine, but not to the network
        System.setProperty("h2.bindAddress", System.getProperty("h2.bindAddress", "127.0.0.1"));
        SpringApplication.run(OrderShop.class, arguments);
    }
}
