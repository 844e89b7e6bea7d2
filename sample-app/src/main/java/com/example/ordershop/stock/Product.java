package com.example.ordershop.stock;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A product of the shop. Its fence is written by {@link ProductRepository} only. */
@Entity
public class Product {

    @Id
    private String name = "";

    private long priceCents;

    @Column(name = "left_over")
    private int left;

    protected Product() {}

    public String name() {
        return name;
    }

    public long priceCents() {
        return priceCents;
    }

    /** Returns the number of pieces in stock. */
    public int left() {
        return left;
    }
}
