// snippet:file
// src/main/java/com/example/turns/TurnsApplication.java
package com.example.turns;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

@SpringBootApplication
@EnableScheduling
public class TurnsApplication {

    public static void main(String[] args) {
        SpringApplication.run(TurnsApplication.class, args);
    }
}
// end:file
