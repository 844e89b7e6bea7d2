package com.example.ordershop;

import java.nio.file.Path;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of the shop.
 *
 * @param instance Name of this instance on the page and in lock queues.
 * @param exportDirectory Directory of the exported files, shared by all instances.
 * @param users User accounts, kept in memory.
 */
@ConfigurationProperties("ordershop")
public record ShopProperties(String instance, Path exportDirectory, List<User> users) {

    /**
     * An account.
     *
     * @param password Encoded password, with its encoding as a prefix.
     */
    public record User(String name, String password, List<String> roles) {}
}
