package com.example.ordershop.order;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * What a customer asks for, before anybody has looked at it.
 *
 * @param day today unless said otherwise
 */
record OrderRequest(
        @Nullable LocalDate day,
        @Nullable String product,
        @Nullable Integer quantity) {}
