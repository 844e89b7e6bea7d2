/** A scheduled job that runs on one instance of the cluster at a time. */
@NullMarked
package com.example.ordershop.job;

import org.jspecify.annotations.NullMarked;
