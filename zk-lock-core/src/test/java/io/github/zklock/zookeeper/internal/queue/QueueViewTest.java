package io.github.zklock.zookeeper.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules of a queue, of each kind by example and then of random queues against a model that counts from the front. */
class QueueViewTest {

    private static final int SEEDS = 300;
    /** So few that all subsets of a queue can be tried. */
    private static final int LONGEST_RANDOM_QUEUE = 9;

    // exclusive

    @Test
    void firstExclusiveSeatHolds() {
        QueueView view = view(exclusive(4), exclusive(5), exclusive(6));

        assertThat(view.holders()).containsExactly(exclusive(4));
        assertThat(view.holds(exclusive(4))).isTrue();
        assertThat(view.holds(exclusive(5))).isFalse();
    }

    @Test
    void seatThatIsNotInTheQueueDoesNotHold() {
        assertThat(view(exclusive(4)).holds(exclusive(3))).isFalse();
        assertThat(view().holds(exclusive(3))).isFalse();
        assertThat(view(read(4)).holds(read(3))).isFalse();
    }

    @Test
    void nearestSeatIsInTheWayOfAnExclusiveSeat() {
        QueueView view = view(exclusive(4), exclusive(5), exclusive(6), exclusive(7));

        assertThat(view.inTheWayOf(exclusive(6))).containsExactly(exclusive(5));
        assertThat(view.inTheWayOf(exclusive(4))).isEmpty();
    }

    @Test
    void exclusiveSeatIsWaitedForByEachSeatBehind() {
        assertThat(view(exclusive(4)).isWaitedFor(exclusive(4))).isFalse();
        assertThat(view(exclusive(4), exclusive(5)).isWaitedFor(exclusive(4))).isTrue();
        assertThat(view(exclusive(4), exclusive(5)).isWaitedFor(exclusive(5))).isFalse();
    }

    @Test
    void seatThatIsNotInTheQueueIsNotWaitedFor() {
        assertThat(view(exclusive(4), exclusive(5)).isWaitedFor(exclusive(3))).isFalse();
        assertThat(view(read(4), write(5)).isWaitedFor(read(3))).isFalse();
        assertThat(view(permits(2, 2, 4), permits(2, 2, 5)).isWaitedFor(permits(2, 2, 3)))
                .isFalse();
    }

    @Test
    void emptyQueueAloneAdmitsAnExclusiveClaim() {
        assertThat(view().admits(Demand.EXCLUSIVE)).isTrue();
        assertThat(view(exclusive(1)).admits(Demand.EXCLUSIVE)).isFalse();
    }

    // read and write

    @Test
    void readersInFrontOfTheFirstWriterHold() {
        QueueView view = view(read(1), read(2), write(3), read(4));

        assertThat(view.holders()).containsExactly(read(1), read(2));
        assertThat(view.holds(read(2))).isTrue();
        assertThat(view.holds(write(3))).isFalse();
        assertThat(view.holds(read(4))).isFalse();
    }

    @Test
    void firstWriterHoldsAlone() {
        QueueView view = view(write(1), read(2), write(3));

        assertThat(view.holders()).containsExactly(write(1));
        assertThat(view.holds(write(1))).isTrue();
        assertThat(view.holds(read(2))).isFalse();
    }

    @Test
    void nearestWriterIsInTheWayOfAReader() {
        QueueView view = view(write(1), write(2), read(3), read(4), write(5));

        assertThat(view.inTheWayOf(read(4))).containsExactly(write(2));
    }

    @Test
    void nothingIsInTheWayOfAReaderWithoutAWriterInFront() {
        assertThat(view(read(1), read(2), write(3)).inTheWayOf(read(2))).isEmpty();
    }

    @Test
    void nearestSeatIsInTheWayOfAWriter() {
        assertThat(view(read(1), read(2), write(3)).inTheWayOf(write(3))).containsExactly(read(2));
    }

    @Test
    void exclusiveSeatIsInTheWayOfAReader() {
        assertThat(view(exclusive(1), read(2), read(3)).inTheWayOf(read(3))).containsExactly(exclusive(1));
    }

    @Test
    void semaphoreSeatIsInTheWayOfAReader() {
        assertThat(view(permits(1, 2, 1), read(2), read(3)).inTheWayOf(read(3))).containsExactly(permits(1, 2, 1));
    }

    @Test
    void readerIsWaitedForByWritersBehind() {
        assertThat(view(read(1), read(2)).isWaitedFor(read(1))).isFalse();
        assertThat(view(read(1), read(2), write(3)).isWaitedFor(read(1))).isTrue();
        assertThat(view(write(1), read(2)).isWaitedFor(read(2))).isFalse();
    }

    @Test
    void writerIsWaitedForByReadersBehind() {
        assertThat(view(write(1), read(2)).isWaitedFor(write(1))).isTrue();
        assertThat(view(read(0), write(1)).isWaitedFor(write(1))).isFalse();
    }

    @Test
    void queueOfReadersAdmitsReaders() {
        assertThat(view().admits(Demand.READ)).isTrue();
        assertThat(view(read(1), read(2)).admits(Demand.READ)).isTrue();
        assertThat(view(read(1), write(2)).admits(Demand.READ)).isFalse();
        assertThat(view(read(1)).admits(Demand.WRITE)).isFalse();
        assertThat(view().admits(Demand.WRITE)).isTrue();
    }

    @Test
    void writerThatBecameAReaderKeepsItsPlaceRightBehindItsFormerNode() {
        SeatName writer = write(1);
        SeatName reader = writer.asReader();
        QueueView both = view(reader, writer, read(2), write(3));

        assertThat(both.seats()).containsExactly(writer, reader, read(2), write(3));
        assertThat(both.holders()).containsExactly(writer);
        assertThat(both.ahead(reader)).isEqualTo(1);
        assertThat(both.ownedBy(writer.id())).containsExactly(writer, reader);
        assertThat(both.inTheWayOf(read(2))).containsExactly(writer);

        both.remove(writer);

        assertThat(both.holders()).containsExactly(reader, read(2));
        assertThat(both.isWaitedFor(reader)).isTrue();
    }

    // permits

    @Test
    void semaphoreSeatsHoldFromTheFrontAsFarAsThePermitsSuffice() {
        QueueView view = view(permits(2, 4, 1), permits(1, 4, 2), permits(2, 4, 3), permits(1, 4, 4));

        assertThat(view.holders()).containsExactly(permits(2, 4, 1), permits(1, 4, 2));
        assertThat(view.holds(permits(1, 4, 2))).isTrue();
        assertThat(view.holds(permits(2, 4, 3))).isFalse();
        // a permit is left, and it is not for the last seat: the seat in front is served first
        assertThat(view.holds(permits(1, 4, 4))).isFalse();
    }

    @Test
    void semaphoreSeatsHoldWithAllPermitsTaken() {
        QueueView view = view(permits(2, 4, 1), permits(2, 4, 2));

        assertThat(view.holders()).containsExactly(permits(2, 4, 1), permits(2, 4, 2));
        assertThat(view.isWaitedFor(permits(2, 4, 1))).isFalse();
        assertThat(view.permitsLeft(4)).isZero();
    }

    @Test
    void nearestSeatsWithTooManyPermitsAreInTheWayOfASemaphoreSeat() {
        QueueView view = view(permits(1, 4, 1), permits(1, 4, 2), permits(1, 4, 3), permits(1, 4, 4), permits(2, 4, 5));

        // with 2 of its own, 2 of the others fit beside it, and 3 do not
        assertThat(view.inTheWayOf(permits(2, 4, 5)))
                .containsExactly(permits(1, 4, 4), permits(1, 4, 3), permits(1, 4, 2));
    }

    @Test
    void oneSeatWithEnoughPermitsIsInTheWayAlone() {
        QueueView view = view(permits(1, 4, 1), permits(4, 4, 2), permits(1, 4, 3));

        assertThat(view.inTheWayOf(permits(1, 4, 3))).containsExactly(permits(4, 4, 2));
    }

    @Test
    void nothingIsInTheWayOfASemaphoreSeatThatHolds() {
        assertThat(view(permits(1, 2, 1), permits(1, 2, 2)).inTheWayOf(permits(1, 2, 2)))
                .isEmpty();
    }

    @Test
    void strangerIsTheLastSeatInTheWayOfASemaphoreSeat() {
        QueueView view = view(permits(1, 9, 1), exclusive(2), permits(1, 9, 3), permits(1, 9, 4));

        assertThat(view.holds(permits(1, 9, 4))).isFalse();
        assertThat(view.inTheWayOf(permits(1, 9, 4))).containsExactly(permits(1, 9, 3), exclusive(2));
    }

    @Test
    void smallestNumberOfPermitsInFrontDecidesWhereTheyDiffer() {
        QueueView raised = view(permits(1, 2, 1), permits(1, 3, 2), permits(1, 3, 3));
        QueueView lowered = view(permits(1, 3, 1), permits(1, 3, 2), permits(1, 2, 3), permits(1, 3, 4));

        // two, as long as a request for one of two is in front
        assertThat(raised.holders()).containsExactly(permits(1, 2, 1), permits(1, 3, 2));
        assertThat(raised.inTheWayOf(permits(1, 3, 3))).containsExactly(permits(1, 3, 2), permits(1, 2, 1));
        raised.remove(permits(1, 2, 1));
        assertThat(raised.holders()).containsExactly(permits(1, 3, 2), permits(1, 3, 3));
        // a request for one of two does not become a third holder, nor does the one behind it
        assertThat(lowered.holders()).containsExactly(permits(1, 3, 1), permits(1, 3, 2));
        lowered.remove(permits(1, 3, 1));
        assertThat(lowered.holders()).containsExactly(permits(1, 3, 2), permits(1, 2, 3));
        assertThat(lowered.permitsLeft(3)).isZero();
    }

    @Test
    void smallestOtherNumberOfPermitsIsFound() {
        QueueView view = view(permits(1, 4, 1), permits(1, 2, 2), permits(1, 3, 3), exclusive(4));

        assertThat(view.otherNumberThan(2)).hasValue(3);
        assertThat(view.otherNumberThan(3)).hasValue(2);
        assertThat(view(permits(1, 2, 1), permits(1, 2, 2)).otherNumberThan(2)).isEmpty();
        assertThat(view().otherNumberThan(2)).isEmpty();
    }

    @Test
    void semaphoreSeatIsWaitedForIfTheQueueAsksForMorePermitsThanThereAre() {
        assertThat(view(permits(1, 2, 1), permits(1, 2, 2)).isWaitedFor(permits(1, 2, 1)))
                .isFalse();
        assertThat(view(permits(1, 2, 1), permits(1, 2, 2), permits(1, 2, 3)).isWaitedFor(permits(1, 2, 1)))
                .isTrue();
    }

    @Test
    void queueAdmitsAsManyPermitsAsAreLeft() {
        QueueView view = view(permits(2, 4, 1), permits(1, 4, 2));

        assertThat(view.permitsLeft(4)).isEqualTo(1);
        assertThat(view.admits(Demand.permits(1, 4))).isTrue();
        assertThat(view.admits(Demand.permits(2, 4))).isFalse();
        // four permits as long as the others ask for some of four
        assertThat(view.admits(Demand.permits(1, 5))).isTrue();
        assertThat(view.admits(Demand.permits(2, 5))).isFalse();
        assertThat(view.admits(Demand.permits(1, 3))).isFalse();
        view.add(permits(3, 4, 3));
        assertThat(view.permitsLeft(4)).isZero();
        assertThat(view.admits(Demand.permits(1, 4))).isFalse();
    }

    // all kinds

    @Test
    void numberDecidesAndNotTheName() {
        SeatName second = seat(new UUID(0, 1), Demand.EXCLUSIVE, 2);
        SeatName first = seat(new UUID(9, 1), Demand.EXCLUSIVE, 1);

        assertThat(view(second, first).seats()).containsExactly(first, second);
        assertThat(view(second, first).first()).contains(first);
    }

    @Test
    void seatsInFrontAreCountedAndListedFromTheFront() {
        QueueView view = view(exclusive(7), exclusive(5), exclusive(6), exclusive(8));

        assertThat(view.ahead(exclusive(7))).isEqualTo(2);
        assertThat(view.inFrontOf(exclusive(7))).containsExactly(exclusive(5), exclusive(6));
        assertThat(view.ahead(exclusive(5))).isZero();
        assertThat(view.inFrontOf(exclusive(5))).isEmpty();
    }

    @Test
    void listOfSeatsInFrontDoesNotFollowTheView() {
        QueueView view = view(exclusive(5), exclusive(6));
        List<SeatName> before = view.inFrontOf(exclusive(6));

        view.remove(exclusive(5));

        assertThat(before).containsExactly(exclusive(5));
    }

    @ParameterizedTest
    @EnumSource(names = {"EXCLUSIVE", "WRITE", "PERMITS"})
    void seatOfTheSameNumberIsARival(LockKind kind) {
        Demand demand = kind == LockKind.PERMITS ? Demand.permits(1, 2) : new Demand(kind, 1, 1);
        SeatName one = seat(new UUID(0, 1), demand, 5);
        SeatName other = seat(new UUID(0, 2), demand, 5);
        QueueView view = view(one, other, seat(new UUID(0, 3), demand, 6));

        assertThat(view.hasRivalOf(one)).isTrue();
        assertThat(view.hasRivalOf(other)).isTrue();
        assertThat(view.hasRivalOf(seat(new UUID(0, 3), demand, 6))).isFalse();
        view.remove(other);
        assertThat(view.hasRivalOf(one)).isFalse();
    }

    @Test
    void readersAreNoRivals() {
        SeatName one = seat(new UUID(0, 1), Demand.READ, 5);
        SeatName other = seat(new UUID(0, 2), Demand.READ, 5);

        assertThat(view(one, other).hasRivalOf(one)).isFalse();
        assertThat(view(one, other).hasRivalOf(other)).isFalse();
    }

    @Test
    void writerIsNoRivalOfTheReaderThatItBecomes() {
        SeatName writer = write(5);

        assertThat(view(writer, writer.asReader()).hasRivalOf(writer)).isFalse();
        assertThat(view(writer, writer.asReader()).hasRivalOf(writer.asReader()))
                .isFalse();
    }

    @Test
    void seatsOfOneIdAreFoundWithTheLowestFirst() {
        UUID id = new UUID(0, 77);
        SeatName first = seat(id, Demand.EXCLUSIVE, 3);
        SeatName repeated = seat(id, Demand.EXCLUSIVE, 9);

        assertThat(view(repeated, exclusive(5), first).ownedBy(id.toString())).containsExactly(first, repeated);
        assertThat(view(exclusive(5)).ownedBy(id.toString())).isEmpty();
    }

    @Test
    void firstSeatIsAStrangerToOtherKinds() {
        assertThat(view(exclusive(1), read(2)).strangerTo(Demand.READ)).contains(exclusive(1));
        assertThat(view(exclusive(1), read(2)).strangerTo(Demand.EXCLUSIVE)).isEmpty();
        assertThat(view(read(1)).strangerTo(Demand.WRITE)).isEmpty();
        assertThat(view(read(1)).strangerTo(Demand.EXCLUSIVE)).contains(read(1));
        assertThat(view(permits(1, 2, 1)).strangerTo(Demand.permits(2, 2))).isEmpty();
        assertThat(view(permits(1, 2, 1)).strangerTo(Demand.permits(1, 3))).isEmpty();
        assertThat(view(permits(1, 2, 1)).strangerTo(Demand.READ)).contains(permits(1, 2, 1));
        assertThat(view().strangerTo(Demand.READ)).isEmpty();
    }

    @Test
    void foldersOfCuratorsSemaphoreAreRecognized() {
        assertThat(QueueView.of(List.of("locks", "leases")).isForeignSemaphore())
                .isTrue();
        assertThat(QueueView.of(List.of("locks")).isForeignSemaphore()).isFalse();
        assertThat(QueueView.of(List.of("locks", "leases")).without(Set.of()).isForeignSemaphore())
                .isTrue();

        QueueView view = QueueView.of(List.of("leases", "locks", "other"));
        view.replace(List.of("leases"));
        assertThat(view.isForeignSemaphore()).isFalse();
    }

    @Test
    void childrenThatAreNoSeatsAreLeftOut() {
        QueueView view = QueueView.of(List.of("nested", exclusive(3).node(), "lock-", "_c_x-lock-0000000001"));

        assertThat(view.seats()).containsExactly(exclusive(3));
        assertThat(view.size()).isEqualTo(1);
    }

    @Test
    void viewFollowsWhatComesAndGoes() {
        QueueView view = view(exclusive(1), exclusive(2));

        view.add(exclusive(3));
        assertThat(view.remove(exclusive(1))).isTrue();
        assertThat(view.remove(exclusive(1))).isFalse();

        assertThat(view.seats()).containsExactly(exclusive(2), exclusive(3));
        assertThat(view.contains(exclusive(3))).isTrue();
        assertThat(view.contains(exclusive(1))).isFalse();
        view.replace(List.of(exclusive(9).node()));
        assertThat(view.seats()).containsExactly(exclusive(9));
    }

    @Test
    void emptyQueueHasNoFirstSeat() {
        assertThat(view().first()).isEmpty();
        assertThat(view(exclusive(1)).first()).contains(exclusive(1));
    }

    @Test
    void copyWithoutSomeIdsLeavesTheViewAsItIs() {
        QueueView view = view(exclusive(1), exclusive(2), exclusive(3));

        QueueView copy = view.without(Set.of(exclusive(1).id(), exclusive(3).id()));

        assertThat(copy.seats()).containsExactly(exclusive(2));
        assertThat(view.size()).isEqualTo(3);
        assertThat(copy.holds(exclusive(2))).isTrue();
    }

    // random queues

    /** What may stand in one queue together. */
    private enum Family {
        EXCLUSIVE,
        READ_WRITE,
        PERMITS,
        /** Of semaphores that differ in their number of permits. */
        DIFFERING_PERMITS,
        /** Also seats that cannot share a queue. */
        MIXED;

        Demand draw(Random random, int of) {
            return switch (this) {
                case EXCLUSIVE -> Demand.EXCLUSIVE;
                case READ_WRITE -> random.nextInt(3) == 0 ? Demand.WRITE : Demand.READ;
                case PERMITS -> Demand.permits(1 + random.nextInt(of), of);
                case DIFFERING_PERMITS -> PERMITS.draw(random, 1 + random.nextInt(of + 2));
                case MIXED ->
                    switch (random.nextInt(6)) {
                        case 0 -> Demand.EXCLUSIVE;
                        case 1 -> READ_WRITE.draw(random, of);
                        case 2 -> PERMITS.draw(random, of + 1);
                        default -> PERMITS.draw(random, of);
                    };
            };
        }
    }

    /** A queue that only its seed describes. */
    private record Drawn(Family family, long seed, int of, List<SeatName> seats) {

        static Drawn of(Family family, long seed) {
            Random random = new Random(seed);
            int of = 1 + random.nextInt(6);
            List<SeatName> seats = new ArrayList<>();
            int length = 1 + random.nextInt(LONGEST_RANDOM_QUEUE);
            for (int i = 0, number = 0; i < length; i++, number += 1 + random.nextInt(3)) {
                seats.add(seat(new UUID(random.nextLong(), i), family.draw(random, of), number));
            }
            return new Drawn(family, seed, of, seats);
        }

        @Override
        public String toString() {
            return family + " with seed " + seed + ": "
                    + seats.stream().map(seat -> seat.demand().toString()).toList();
        }
    }

    private static Stream<Drawn> queues() {
        return Stream.of(Family.values())
                .flatMap(family ->
                        Stream.iterate(1L, seed -> seed + 1).limit(SEEDS).map(seed -> Drawn.of(family, seed)));
    }

    private static Stream<Drawn> queuesOfOneKind() {
        return queues().filter(drawn -> drawn.family() != Family.MIXED);
    }

    @Test
    void holdersAreThoseOfTheModel() {
        queues().forEach(drawn -> {
            QueueView view = viewOf(drawn.seats());
            List<SeatName> expected = drawn.seats().stream()
                    .filter(seat -> holdsByModel(drawn.seats(), seat))
                    .toList();

            assertThat(view.holders()).as(drawn.toString()).isEqualTo(expected);
            assertThat(drawn.seats().stream().filter(view::holds).toList())
                    .as(drawn.toString())
                    .isEqualTo(expected);
        });
    }

    @Test
    void viewShowsTheHoldersOfTheModelWhateverComesAndGoes() {
        queues().forEach(drawn -> {
            Random random = new Random(drawn.seed());
            QueueView view = new QueueView(seat -> isOwn(seat));
            List<SeatName> there = new ArrayList<>();
            List<SeatName> coming = new ArrayList<>(drawn.seats());
            while (!coming.isEmpty() || !there.isEmpty()) {
                if (!coming.isEmpty() && random.nextInt(3) > 0) {
                    // now and then, one appears in front of others: a writer became a reader
                    SeatName seat = coming.remove(random.nextInt(8) == 0 ? random.nextInt(coming.size()) : 0);
                    there.add(seat);
                    view.add(seat);
                } else if (!there.isEmpty()) {
                    SeatName seat = there.remove(random.nextInt(there.size()));
                    assertThat(view.remove(seat)).isTrue();
                }
                there.sort(null);
                assertThatItShows(view, there, drawn);
            }
        });
    }

    private static void assertThatItShows(QueueView view, List<SeatName> there, Drawn drawn) {
        List<SeatName> holders =
                there.stream().filter(seat -> holdsByModel(there, seat)).toList();
        assertThat(view.holders()).as(drawn.toString()).isEqualTo(holders);
        assertThat(there.stream().filter(view::holds).toList())
                .as(drawn.toString())
                .isEqualTo(holders);
        assertThat(view.hasOtherWaiter())
                .as(drawn.toString())
                .isEqualTo(there.stream().skip(holders.size()).anyMatch(seat -> !isOwn(seat)));
        for (SeatName seat : there) {
            long others = there.subList(0, there.indexOf(seat)).stream()
                    .filter(before -> !isOwn(before))
                    .count();
            assertThat(view.othersBefore(seat, there.size())).isEqualTo((int) others);
            assertThat(view.othersBefore(seat, 2)).isEqualTo((int) Math.min(2, others));
            assertThat(view.hasOtherBefore(seat)).isEqualTo(others > 0);
            assertThat(view.hasSeatBefore(seat)).isEqualTo(there.indexOf(seat) > 0);
        }
    }

    private static boolean isOwn(SeatName seat) {
        return seat.sequence() % 2 == 0;
    }

    @Test
    void whenASeatComesToHoldASeatThatWasInItsWayHasLeft() {
        queues().forEach(drawn -> {
            for (int place = 0; place < drawn.seats().size(); place++) {
                whenItHoldsASeatInItsWayHasLeft(drawn, place);
            }
        });
    }

    private static void whenItHoldsASeatInItsWayHasLeft(Drawn drawn, int place) {
        SeatName waiting = drawn.seats().get(place);
        List<SeatName> inTheWay = viewOf(drawn.seats()).inTheWayOf(waiting);
        assertThat(inTheWay.isEmpty()).as(drawn.toString()).isEqualTo(holdsByModel(drawn.seats(), waiting));
        if (inTheWay.isEmpty()) {
            return;
        }
        List<SeatName> front = drawn.seats().subList(0, place);
        assertThat(front).as(drawn.toString()).containsAll(inTheWay);
        for (int staying = 0; staying < 1 << place; staying++) {
            List<SeatName> left = new ArrayList<>();
            for (int i = 0; i < place; i++) {
                if ((staying >> i & 1) != 0) {
                    left.add(front.get(i));
                }
            }
            left.add(waiting);
            if (holdsByModel(left, waiting)) {
                assertThat(left)
                        .as("%s, seat %s with %s in its way", drawn, place, inTheWay)
                        .matches(all -> !all.containsAll(inTheWay), "lacks a seat that was in the way");
            }
        }
    }

    @Test
    void withoutTheLastOfTheSeatsInItsWayASemaphoreSeatMightHold() {
        queues().filter(drawn -> drawn.family() == Family.PERMITS || drawn.family() == Family.DIFFERING_PERMITS)
                .forEach(drawn -> {
                    QueueView view = viewOf(drawn.seats());
                    for (SeatName waiting : drawn.seats()) {
                        List<SeatName> inTheWay = view.inTheWayOf(waiting);
                        if (!inTheWay.isEmpty()) {
                            List<SeatName> left = new ArrayList<>(inTheWay.subList(0, inTheWay.size() - 1));
                            left.add(waiting);
                            assertThat(viewOf(left).holds(waiting))
                                    .as("%s, %s with %s in its way", drawn, waiting, inTheWay)
                                    .isTrue();
                        }
                    }
                });
    }

    @Test
    void holderIsWaitedForIfASeatDoesNotHold() {
        queuesOfOneKind().forEach(drawn -> {
            QueueView view = viewOf(drawn.seats());
            boolean someWait = drawn.seats().stream().anyMatch(seat -> !holdsByModel(drawn.seats(), seat));

            for (SeatName seat : drawn.seats()) {
                if (holdsByModel(drawn.seats(), seat)) {
                    assertThat(view.isWaitedFor(seat)).as(drawn.toString()).isEqualTo(someWait);
                }
            }
        });
    }

    @Test
    void queueAdmitsWhatWouldHoldAtItsEnd() {
        queuesOfOneKind().forEach(drawn -> {
            QueueView view = viewOf(drawn.seats());
            Random random = new Random(drawn.seed());

            for (int i = 0; i < 8; i++) {
                Demand demand = drawn.family().draw(random, drawn.of());
                SeatName last = seat(new UUID(0, 0), demand, 1_000);
                List<SeatName> then = new ArrayList<>(drawn.seats());
                then.add(last);

                assertThat(view.admits(demand)).as("%s, and %s", drawn, demand).isEqualTo(holdsByModel(then, last));
            }
        });
    }

    /** Counts from the front. The seats are in order. */
    private static boolean holdsByModel(List<SeatName> seats, SeatName seat) {
        int place = seats.indexOf(seat);
        long permits = 0;
        int smallest = Integer.MAX_VALUE;
        for (SeatName each : seats.subList(0, place + 1)) {
            permits += each.demand().permits();
            smallest = Math.min(smallest, each.demand().of());
        }
        Demand demand = seat.demand();
        List<SeatName> front = seats.subList(0, place);
        return switch (demand.kind()) {
            case EXCLUSIVE, WRITE -> front.isEmpty();
            case READ -> front.stream().allMatch(each -> each.demand().kind() == LockKind.READ);
            case PERMITS ->
                front.stream().allMatch(each -> each.demand().kind() == LockKind.PERMITS) && permits <= smallest;
        };
    }

    private static SeatName exclusive(long number) {
        return seat(new UUID(1, number), Demand.EXCLUSIVE, number);
    }

    private static SeatName read(long number) {
        return seat(new UUID(2, number), Demand.READ, number);
    }

    private static SeatName write(long number) {
        return seat(new UUID(3, number), Demand.WRITE, number);
    }

    private static SeatName permits(int permits, int of, long number) {
        return seat(new UUID(4, number), Demand.permits(permits, of), number);
    }

    private static SeatName seat(UUID id, Demand demand, long number) {
        return SeatName.parse("%s%010d".formatted(SeatName.stem(id.toString(), demand), number))
                .orElseThrow();
    }

    private static QueueView view(SeatName... seats) {
        return viewOf(List.of(seats));
    }

    private static QueueView viewOf(List<SeatName> seats) {
        return QueueView.of(seats.stream().map(SeatName::node).toList());
    }
}
