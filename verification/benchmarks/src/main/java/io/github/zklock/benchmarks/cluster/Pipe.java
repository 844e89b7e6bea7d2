package io.github.zklock.benchmarks.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** One direction of a connection. Delivers all data after the delay. */
final class Pipe {

    /** @param bytes not empty, except in the last piece */
    private record Piece(ByteBuffer bytes, long dueNanos) {}

    private static final int SIZE = 64 * 1024;
    private static final Piece END = new Piece(ByteBuffer.allocate(0), 0);

    private final Socket from;
    private final Socket to;
    private final long delayNanos;
    private final FrameCounter count;
    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();

    Pipe(Socket from, Socket to, Duration delay, FrameCounter count) {
        this.from = from;
        this.to = to;
        this.delayNanos = delay.toNanos();
        this.count = count;
    }

    void read() {
        byte[] buffer = new byte[SIZE];
        try {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                count.accept(buffer, read);
                pieces.add(new Piece(ByteBuffer.wrap(Arrays.copyOf(buffer, read)), System.nanoTime() + delayNanos));
            }
        } catch (IOException closed) {
            // the other side sees a regular end
        }
        pieces.add(END);
    }

    void write() {
        try (Socket out = to) {
            OutputStream stream = out.getOutputStream();
            for (Piece piece = pieces.take(); piece.bytes().hasRemaining(); piece = pieces.take()) {
                awaitNanos(piece.dueNanos());
                stream.write(piece.bytes().array());
            }
        } catch (IOException closed) {
            // the receiver has closed its connection
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitNanos(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
