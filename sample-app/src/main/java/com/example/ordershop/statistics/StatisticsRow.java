package com.example.ordershop.statistics;

import java.time.LocalDate;

/** The statistics of one product on one day. */
record StatisticsRow(LocalDate day, String product, long orders, long amountCents) {

    StatisticsRow plus(Sale sale) {
        return new StatisticsRow(day, product, orders + 1, amountCents + sale.amountCents());
    }
}
