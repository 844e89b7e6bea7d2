package io.github.zklock.faults.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.RegisterWrite;
import io.github.zklock.faults.timeline.Timeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegisterTest {

    private final Timeline timeline = new Timeline();
    private final Register register = new Register(timeline);
    private Socket socket;
    private BufferedReader answers;

    @BeforeEach
    void connect() throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), register.port());
        answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        register.close();
    }

    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        assertThat(ask("read cell 5")).isEqualTo("0");
        assertThat(ask("write cell 5 client 1 0 10 20")).isEqualTo("ok");
        assertThat(ask("read cell 6")).isEqualTo("1");

        assertThat(timeline.registerWrites()).singleElement().satisfies(write -> {
            assertThat(write).hasToString("client#1's write of 1 to cell");
            assertThat(write.fenced()).isTrue();
            assertThat(write.overwritesAnother()).isFalse();
        });
    }

    @Test
    void aLowerTokenThanOneThatHasReadIsRefused() throws IOException {
        ask("read cell 5");
        ask("read cell 6");

        assertThat(ask("write cell 5 client 1 0 10 20")).isEqualTo("stale");
        assertThat(ask("read cell 6")).isEqualTo("0");
        assertThat(timeline.registerWrites()).singleElement().matches(RegisterWrite::refused);
    }

    @Test
    void withoutTokensTheLastOneWins() throws IOException {
        ask("write cell 0 one 1 0 10 20");
        ask("write cell 0 two 1 0 10 20");

        assertThat(ask("read cell 0")).isEqualTo("1");
        assertThat(timeline.registerWrites()).last().matches(RegisterWrite::overwritesAnother);
    }

    private String ask(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        return answers.readLine();
    }
}
