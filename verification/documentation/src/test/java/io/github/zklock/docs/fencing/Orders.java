package io.github.zklock.docs.fencing;

import java.time.LocalDate;

/** The orders of a day, as something that may take its time to ask. */
interface Orders {

    long totalOf(LocalDate day);
}
