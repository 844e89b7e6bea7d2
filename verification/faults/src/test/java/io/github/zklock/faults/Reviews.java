package io.github.zklock.faults;

import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.rig.Java;
import io.github.zklock.faults.rig.Release;
import io.github.zklock.faults.stage.Variant;
import io.github.zklock.faults.stage.Variant.Kind;
import io.github.zklock.faults.stage.Variant.Policy;
import io.github.zklock.faults.stage.Variant.Surface;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What may come of a performance, made by hand. */
final class Reviews {

    private static final Variant VARIANT = new Variant(
            Timeline.OURS, Policy.BOUNDED, Kind.EXCLUSIVE, Surface.REGISTRY, Java.own(), Release.own(), List.of());
    private static final Path NOWHERE = Path.of("nowhere");

    private Reviews() {}

    static Review passed(Method script) {
        return new Review(performance(script), Review.Outcome.PASSED, Optional.empty(), "", NOWHERE, 1);
    }

    static Review failed(Method script, String complaint) {
        return Review.failed(performance(script), new AssertionError(complaint), Optional.empty(), NOWHERE, 0);
    }

    static Review broken(Method script, Throwable failure) {
        return Review.failed(performance(script), failure, Optional.empty(), NOWHERE, 0);
    }

    static Review skipped(Method script) {
        return new Review(performance(script), Review.Outcome.SKIPPED, Optional.empty(), "no such clock", NOWHERE, 1);
    }

    private static Performance performance(Method script) {
        return new Performance(script, VARIANT, 1);
    }
}
