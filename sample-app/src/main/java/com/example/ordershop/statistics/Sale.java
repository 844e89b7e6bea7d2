package com.example.ordershop.statistics;

import java.time.LocalDate;

/** What an order adds to the statistics when it is completed. */
public record Sale(long orderId, LocalDate day, String product, long amountCents) {}
