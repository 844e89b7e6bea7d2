package com.example.ordershop.order;

import com.example.ordershop.statistics.Sale;
import java.time.LocalDate;

/** What a customer has ordered. */
record Order(long id, LocalDate day, String product, int quantity, long amountCents, boolean completed) {

    Sale sale() {
        return new Sale(id, day, product, amountCents);
    }
}
