package io.github.zklock.observation;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.LongSupplier;

/** Binds the transactions that a fence has rejected to a counter. */
public final class FenceMeters implements MeterBinder {

    private final LongSupplier rejected;

    /** @param rejected returns how many transactions were rejected so far */
    public FenceMeters(LongSupplier rejected) {
        this.rejected = rejected;
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        FunctionCounter.builder("zklock.fence.rejected", rejected, LongSupplier::getAsLong)
                .description("Transactions of overtaken holders that the fence rejected")
                .register(meters);
    }
}
