/** Statistics that are recomputed under a lock and written with fencing, and a report under a read/write lock. */
@NullMarked
package com.example.ordershop.statistics;

import org.jspecify.annotations.NullMarked;
