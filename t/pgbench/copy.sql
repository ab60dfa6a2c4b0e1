COPY minted (how) FROM ':lines';
