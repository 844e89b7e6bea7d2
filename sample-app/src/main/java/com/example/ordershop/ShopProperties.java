package com.example.ordershop;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of the shop.
 *
 * @param instance name of this instance, on the page and in the queues of locks
 * @param exportDirectory folder of the exported files, which all instances share
 */
@ConfigurationProperties("ordershop")
public record ShopProperties(String instance, Path exportDirectory) {}
