package io.github.zklock.docs.guide.shop;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** An application of the services in this package, with a database in memory. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = KafkaAutoConfiguration.class)
@ComponentScan
class ShopApplication {

    private static final String TABLES = """
            create table orders (id bigint primary key, day date, amount bigint, completed boolean);
            create table order_stats (order_day date primary key, total bigint, fence bigint);
            create table stock (product varchar(20) primary key, remaining int);
            insert into order_stats values (date '2026-11-22', 0, 0);
            insert into stock values ('tea', 2);
            """;

    @Bean
    EmbeddedDatabase dataSource() {
        EmbeddedDatabase database = new EmbeddedDatabaseBuilder()
                .setType(EmbeddedDatabaseType.H2)
                .setName("shop-" + UUID.randomUUID() + ";NON_KEYWORDS=DAY")
                .build();
        new ResourceDatabasePopulator(new ByteArrayResource(TABLES.getBytes(StandardCharsets.UTF_8))).execute(database);
        return database;
    }
}
