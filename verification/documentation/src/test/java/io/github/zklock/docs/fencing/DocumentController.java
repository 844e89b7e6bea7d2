package io.github.zklock.docs.fencing;

import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** A service that knows nothing of locks but the token of whoever writes. */
@RestController
class DocumentController {

    private final JdbcClient jdbc;

    DocumentController(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    // snippet:server
    @PutMapping("/documents/{id}")
    void put(@PathVariable String id, @RequestHeader("Fencing-Token") long token, @RequestBody String content) {
        jdbc.sql("insert into document (id, content, fence) values (:id, '', 0) on conflict do nothing")
                .param("id", id)
                .update();
        int rows = jdbc.sql("update document set content = :content, fence = :token where id = :id and fence <= :token")
                .param("content", content)
                .param("token", token)
                .param("id", id)
                .update();
        if (rows == 0) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "A later holder of the lock was here");
        }
    }
    // end:server
}
