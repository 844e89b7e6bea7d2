package com.example.ordershop.export;

import java.time.LocalDate;

/** A file that was written. */
record Export(LocalDate day, String file, int orders) {}
