package com.example.ordershop.statistics;

/** How many orders, and what they came to. */
record Totals(long orders, long amountCents) {}
