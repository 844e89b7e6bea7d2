package com.example.ordershop.statistics;

import java.time.LocalDate;

/** The contribution of one order to the statistics. */
public record Sale(long orderId, LocalDate day, String product, long amountCents) {}
