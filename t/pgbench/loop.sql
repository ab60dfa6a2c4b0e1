CALL commits();
