/** Statistics per day and product, recomputed by reading, computing and writing; and the report made of them. */
@NullMarked
package com.example.ordershop.statistics;

import org.jspecify.annotations.NullMarked;
