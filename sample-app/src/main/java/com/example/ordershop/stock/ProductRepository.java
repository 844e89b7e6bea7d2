package com.example.ordershop.stock;

import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.transaction.annotation.Transactional;

/** Products in the database, by Spring Data JPA. The two updates with a fence are SQL; both return the number of changed rows. */
public interface ProductRepository extends ListCrudRepository<Product, String> {

    /** Raises the fence to the token. Returns 0 if a later holder of the lock has raised it further. */
    @Transactional
    @Modifying
    @NativeQuery("update product set fence = :token where name = :name and fence < :token")
    int claim(String name, long token);

    /** Writes the stock of a claimed product. Returns 0 if a later holder of the lock has claimed it. */
    @Transactional
    @Modifying
    @NativeQuery("update product set left_over = :left where name = :name and fence = :token")
    int write(String name, int left, long token);
}
