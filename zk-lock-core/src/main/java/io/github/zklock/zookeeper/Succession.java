package io.github.zklock.zookeeper;

import io.github.zklock.HandOff.Policy;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who of those who wait has a turn next, and on which seat at the head.
 *
 * @param seekers for whom the seats were asked that nobody has used yet
 */
record Succession(Collection<Claim> waiting, Collection<Stint> stints, Map<Seat, Claim> seekers) {

    /** A claim that can have a turn, and where. */
    record Service(Claim claim, Stint stint) {}

    Optional<Service> next(Policy policy) {
        return policy == Policy.STRICT ? seeker() : first().or(this::outOfOrder);
    }

    /** A seat serves the one for whom it was asked, and nobody else. */
    private Optional<Service> seeker() {
        return fresh().flatMap(stint -> Stream.ofNullable(seekers.get(stint.seat()))
                        .filter(waiting::contains)
                        .map(claim -> new Service(claim, stint)))
                .findFirst();
    }

    private Optional<Service> first() {
        return waiting.stream()
                .findFirst()
                .flatMap(first -> stints.stream()
                        .filter(stint -> stint.serves(first.demand()))
                        .map(stint -> new Service(first, stint))
                        .findFirst());
    }

    /** A create that was in doubt is repeated: then seats stand in another order than they were asked for. */
    private Optional<Service> outOfOrder() {
        return fresh().flatMap(stint -> waiting.stream()
                        .filter(claim -> stint.serves(claim.demand()))
                        .limit(1)
                        .map(claim -> new Service(claim, stint)))
                .findFirst();
    }

    private Stream<Stint> fresh() {
        return stints.stream().filter(stint -> !stint.isUsed());
    }
}
