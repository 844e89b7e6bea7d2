package com.example.ordershop.stock;

/** Something the shop sells. */
public record Product(String name, long priceCents, int left) {}
