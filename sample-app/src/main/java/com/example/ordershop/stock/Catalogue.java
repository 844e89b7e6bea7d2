package com.example.ordershop.stock;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** All that the shop sells. */
@Repository
public class Catalogue {

    private final JdbcClient jdbc;

    Catalogue(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** By name. */
    public List<Product> products() {
        return jdbc.sql("select name, price_cents, left_over as \"left\" from product order by name")
                .query(Product.class)
                .list();
    }

    /**
     * The product of this name.
     *
     * @throws InvalidInputException if the shop does not sell it
     */
    public Product product(@Nullable String name) {
        List<Product> products = products();
        return products.stream()
                .filter(product -> product.name().equals(name))
                .findAny()
                .orElseThrow(() -> notSold(name, products));
    }

    private static InvalidInputException notSold(@Nullable String name, List<Product> products) {
        String sold = products.stream().map(Product::name).collect(Collectors.joining(", "));
        return new InvalidInputException(
                (name == null ? "product is missing" : "product '" + name + "' is not sold here")
                        + ": the shop has "
                        + sold);
    }
}
