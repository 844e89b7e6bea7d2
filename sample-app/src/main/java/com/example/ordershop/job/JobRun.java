package com.example.ordershop.job;

import java.time.Instant;

/** One run of the job, on one of all instances. */
public record JobRun(String instance, Instant at, long openOrders) {}
