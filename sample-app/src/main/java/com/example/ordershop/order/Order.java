package com.example.ordershop.order;

import java.time.LocalDate;

/** An order of a customer. */
public record Order(long id, LocalDate day, String product, int quantity, long amountCents, boolean completed) {}
