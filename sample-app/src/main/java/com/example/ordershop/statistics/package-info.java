/** Statistics that are recomputed under a lock in fenced transactions, and a report under a read/write lock. */
@NullMarked
package com.example.ordershop.statistics;

import org.jspecify.annotations.NullMarked;
