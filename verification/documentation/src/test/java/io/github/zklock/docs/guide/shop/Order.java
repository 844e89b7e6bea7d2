package io.github.zklock.docs.guide.shop;

import java.time.LocalDate;

/** An order of a day: what it is worth, and whether it is done. */
record Order(long id, LocalDate day, long amount) {}
