package io.github.zklock.faults.picture;

import io.github.zklock.faults.record.Ask;
import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Hold;
import io.github.zklock.faults.record.Hold.Belief;
import io.github.zklock.faults.record.Seat;
import io.github.zklock.faults.record.SeatEnd;
import io.github.zklock.faults.record.Seats;
import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.record.Trouble;
import io.github.zklock.faults.record.Trouble.Span;
import io.github.zklock.faults.record.Update;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Lane under lane: what each client believed, what the servers say whose the lock was, and what was done to the servers. */
final class Lanes {

    private static final double ROW = 15;
    private static final double GAP = 12;
    private static final int MOST_ROWS = 8;

    private final Canvas canvas;
    private final Timeline timeline;
    private final Trouble trouble;
    private final Map<String, String> owners;
    private double y;

    Lanes(Canvas canvas, Timeline timeline, double top) {
        this.canvas = canvas;
        this.timeline = timeline;
        this.trouble = Trouble.on(timeline);
        this.owners = timeline.events().stream()
                .filter(event -> event.fields().containsKey("session") && !isOfServer(event))
                .collect(Collectors.toMap(event -> event.text("session"), Event::source, (one, other) -> one));
        this.y = top;
    }

    /** Draws all and says where it ends. */
    double draw() {
        Map<String, List<Hold>> holds = timeline.holds().stream()
                .collect(Collectors.groupingBy(Hold::source, TreeMap::new, Collectors.toList()));
        Map<String, List<Ask>> asks = Ask.on(timeline).stream().collect(Collectors.groupingBy(Ask::source));
        clients()
                .forEach(client ->
                        client(client, holds.getOrDefault(client, List.of()), asks.getOrDefault(client, List.of())));
        seats();
        trouble.spans().stream()
                .map(Span::source)
                .filter(source -> !clients().contains(source))
                .distinct()
                .sorted()
                .forEach(this::server);
        return y;
    }

    private List<String> clients() {
        return timeline.events().stream()
                .filter(event -> event.is(Kind.READY) && !event.source().equals(Update.REGISTER))
                .map(Event::source)
                .distinct()
                .toList();
    }

    private void client(String client, List<Hold> holds, List<Ask> asks) {
        title(client);
        double top = y;
        Rows waiting = new Rows();
        for (Ask ask : asks) {
            long until = ask.answer().map(Event::at).orElse(ask.at());
            double row = top + waiting.place(ask.at(), until) * 4.0;
            String answer = ask.answer().map(event -> event.kind().name()).orElse("no answer");
            canvas.bar("wait", ask.at(), until, row, 3, ask + ": " + answer);
            if (ask.answer().isPresent() && !ask.answer().get().is(Kind.GRANTED)) {
                canvas.mark("small", until, row + 3, "|", ask + ": " + answer);
            }
        }
        double held = top + waiting.count() * 4.0 + 3;
        Rows believed = new Rows();
        for (Hold hold : holds) {
            for (Belief belief : hold.beliefs()) {
                double row = held + believed.place(belief.from(), belief.until()) * ROW;
                String style = hold.wish().isAlone() ? "alone" : "shared";
                canvas.bar(style, belief.from(), belief.until(), row, ROW - 3, hold.toString());
                if (canvas.x(belief.until()) - canvas.x(belief.from()) > 40) {
                    canvas.text("inside", canvas.x(belief.from()) + 3, row + ROW - 5, "#" + hold.number());
                }
            }
            hold.lostAt()
                    .ifPresent(at ->
                            canvas.mark("bad", at, held + ROW - 3, "L", hold + " is told that it has lost its lock"));
        }
        timeline.updates().stream()
                .filter(update -> update.by().equals(client) && update.refused())
                .forEach(update -> canvas.mark("bad", update.at(), held + 2 * ROW, "W", update + " is refused"));
        y = held + Math.max(2, believed.count()) * ROW;
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
                if (seat.endedAt().isPresent() && seat.how() != SeatEnd.RETURNED) {
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
        for (Span span : trouble.spans()) {
            if (span.source().equals(source)) {
                String what = span.kind().name().toLowerCase(Locale.ROOT);
                canvas.bar("fault", span.from(), span.until(), top - 2, y - top + 4, source + " " + what);
                canvas.text("fault-name", canvas.x(span.from()) + 3, y - 2, what);
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

    /** Puts what lasts at the same time under each other. */
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
