package io.github.zklock.faults.picture;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.FaultIntervals;
import io.github.zklock.faults.timeline.FaultIntervals.Interval;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Hold.HeldInterval;
import io.github.zklock.faults.timeline.LockRequest;
import io.github.zklock.faults.timeline.RegisterWrite;
import io.github.zklock.faults.timeline.Seat;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.Seats;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The lanes of the drawing: the calls and holds of each client, the seats by the servers' transaction logs, and the
 * faults of the servers.
 */
final class Lanes {

    private static final double ROW = 15;
    private static final double GAP = 12;
    private static final int MOST_ROWS = 8;

    private final Canvas canvas;
    private final Timeline timeline;
    private final FaultIntervals faults;
    private final Map<String, String> owners;
    private double y;

    Lanes(Canvas canvas, Timeline timeline, double top) {
        this.canvas = canvas;
        this.timeline = timeline;
        this.faults = FaultIntervals.on(timeline);
        this.owners = timeline.events().stream()
                .filter(event -> event.fields().containsKey("session") && !isOfServer(event))
                .collect(Collectors.toMap(event -> event.text("session"), Event::source, (one, other) -> one));
        this.y = top;
    }

    /** Draws all lanes, and returns where the last one ends. */
    double draw() {
        Map<String, List<Hold>> holds = timeline.holds().stream()
                .collect(Collectors.groupingBy(Hold::source, TreeMap::new, Collectors.toList()));
        Map<String, List<LockRequest>> requests =
                LockRequest.on(timeline).stream().collect(Collectors.groupingBy(LockRequest::source));
        clients()
                .forEach(client -> client(
                        client, holds.getOrDefault(client, List.of()), requests.getOrDefault(client, List.of())));
        seats();
        faults.intervals().stream()
                .map(Interval::source)
                .filter(source -> !clients().contains(source))
                .distinct()
                .sorted()
                .forEach(this::server);
        return y;
    }

    private List<String> clients() {
        return timeline.events().stream()
                .filter(event -> event.is(Kind.READY) && !event.source().equals(RegisterWrite.REGISTER))
                .map(Event::source)
                .distinct()
                .toList();
    }

    private void client(String client, List<Hold> holds, List<LockRequest> requests) {
        title(client);
        double top = y;
        Rows waiting = new Rows();
        for (LockRequest request : requests) {
            long until = request.answer().map(Event::at).orElse(request.at());
            double row = top + waiting.place(request.at(), until) * 4.0;
            String answer = request.answer().map(event -> event.kind().name()).orElse("no answer");
            canvas.bar("wait", request.at(), until, row, 3, request + ": " + answer);
            if (request.answer().isPresent() && !request.answer().get().is(Kind.GRANTED)) {
                canvas.mark("small", until, row + 3, "|", request + ": " + answer);
            }
        }
        double held = top + waiting.count() * 4.0 + 3;
        Rows heldRows = new Rows();
        for (Hold hold : holds) {
            for (HeldInterval heldInterval : hold.heldIntervals()) {
                double row = held + heldRows.place(heldInterval.from(), heldInterval.until()) * ROW;
                String style = hold.spec().isExclusive() ? "alone" : "shared";
                canvas.bar(style, heldInterval.from(), heldInterval.until(), row, ROW - 3, hold.toString());
                if (canvas.x(heldInterval.until()) - canvas.x(heldInterval.from()) > 40) {
                    canvas.text("inside", canvas.x(heldInterval.from()) + 3, row + ROW - 5, "#" + hold.number());
                }
            }
            hold.lostAt().ifPresent(at -> canvas.mark("bad", at, held + ROW - 3, "L", hold + " reports its loss"));
        }
        timeline.registerWrites().stream()
                .filter(write -> write.by().equals(client) && write.refused())
                .forEach(write -> canvas.mark("bad", write.at(), held + 2 * ROW, "W", write + " is rejected"));
        y = held + Math.max(2, heldRows.count()) * ROW;
        faults(client, top);
        end();
    }

    private void seats() {
        Map<String, List<Seat>> byOwner = new LinkedHashMap<>();
        Seats.of(timeline).all().stream()
                .filter(seat -> canvas.shows(seat.endedAt().orElse(Long.MAX_VALUE)))
                .sorted(Comparator.comparingLong(Seat::madeAt))
                .forEach(seat -> byOwner.computeIfAbsent(lane(seat), lane -> new ArrayList<>())
                        .add(seat));
        byOwner.forEach((lane, seats) -> {
            title(lane);
            double top = y;
            Rows rows = new Rows();
            for (Seat seat : seats) {
                long ended = seat.endedAt().orElse(Long.MAX_VALUE);
                long served = Math.min(seat.servedAt().orElse(ended), ended);
                double row = top + rows.place(seat.madeAt(), ended) * ROW;
                String title = "seat %x of session %s, %s".formatted(seat.number(), seat.session(), seat.node());
                canvas.bar("queued", seat.madeAt(), served, row + 4, 4, title + " in the queue");
                if (seat.servedAt().isPresent()) {
                    canvas.bar("served", served, ended, row, ROW - 3, title + " served");
                }
                if (seat.endedAt().isPresent() && seat.how() != SeatEnd.RELEASED) {
                    canvas.mark(
                            "bad", ended, row + ROW - 3, seat.how().name().substring(0, 1), title + " " + seat.how());
                }
            }
            y = top + Math.max(1, rows.count()) * ROW;
            end();
        });
    }

    private void server(String server) {
        title(server);
        double top = y;
        y += ROW;
        faults(server, top);
        end();
    }

    private void faults(String source, double top) {
        for (Interval interval : faults.intervals()) {
            if (interval.source().equals(source)) {
                String what = interval.kind().name().toLowerCase(Locale.ROOT);
                canvas.bar("fault", interval.from(), interval.until(), top - 2, y - top + 4, source + " " + what);
                canvas.text("fault-name", canvas.x(interval.from()) + 3, y - 2, what);
            }
        }
    }

    private String lane(Seat seat) {
        String folder = seat.folder();
        String lock = folder.substring(folder.lastIndexOf('/') + 1);
        return lock + " of " + owners.getOrDefault(seat.session(), seat.session());
    }

    private void title(String title) {
        canvas.text("lane", 4, y + ROW - 4, title);
    }

    private void end() {
        canvas.across("border", y + GAP / 2);
        y += GAP;
    }

    private static boolean isOfServer(Event event) {
        return event.is(Kind.SEAT_MADE) || event.is(Kind.SEAT_RENAMED) || event.is(Kind.SEAT_ENDED);
    }

    /** Assigns a row to each interval, so that simultaneous ones do not overlap. */
    private static final class Rows {

        private final List<Long> busyUntil = new ArrayList<>();

        int place(long from, long until) {
            for (int row = 0; row < busyUntil.size(); row++) {
                if (busyUntil.get(row) <= from) {
                    busyUntil.set(row, until);
                    return row;
                }
            }
            if (busyUntil.size() == MOST_ROWS) {
                return MOST_ROWS - 1;
            }
            busyUntil.add(until);
            return busyUntil.size() - 1;
        }

        int count() {
            return busyUntil.size();
        }
    }
}
